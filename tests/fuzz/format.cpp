// libFuzzer's entry for format.h; built by the preset "fuzz".
#include "format.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cuckoo::testing::fuzz_format({data, size});
  return 0;
}
