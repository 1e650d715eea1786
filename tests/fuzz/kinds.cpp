// libFuzzer's entry for kinds.h; built by the preset "fuzz".
#include "kinds.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cuckoo::testing::fuzz_kinds({data, size});
  return 0;
}
