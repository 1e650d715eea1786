// The calls of calls.h, for every class of the package's module and the trace module; and long keys.
#include "calls.h"

void binding::long_key_calls() {
  function("longKey.piece", &calls::hash_piece);
  function("longKey.finish", &calls::finish_long_key);
}

template void binding::filter_calls<bound::Plain>();
template void binding::filter_calls<bound::Traced>();
template void binding::filter_calls<bound::Scalable>();
template void binding::key_calls<bound::Expiring>();
template void binding::value_calls<bound::Values>();
template void binding::value_calls<bound::Counter>();
