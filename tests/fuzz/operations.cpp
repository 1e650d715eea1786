// libFuzzer's entry for operations.h; built by the preset "fuzz".
#include "operations.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cuckoo::testing::fuzz_operations({data, size});
  return 0;
}
