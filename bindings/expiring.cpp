// The class ExpiringFilter, whose keys expire. Its filters are planned as those of filter.cpp are.
// Invariant: nothing is decided here; each function converts, calls the core once, and converts back.
#include "bind.h"

namespace {

using objects::Address;

Address create(bool has_secret, std::uint32_t periods) {
  const cuckoo::SecretKey secret = scratch_secret();
  return objects::keep(bound::Expiring::create(objects::planned, periods, has_secret ? &secret : nullptr));
}
double advance(Address filter) { return static_cast<double>(objects::at<bound::Expiring>(filter).advance()); }

}  // namespace

PART(expiring) {
  using binding::function;
  binding::object<bound::Expiring>();
  binding::key_calls<bound::Expiring>();
  function("filter.create", &create);
  function("filter.advance", &advance);
}
