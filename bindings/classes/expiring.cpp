// The class ExpiringFilter, whose keys expire. Its filters are planned as those of filter.cpp are.
// Invariant: nothing is decided here; each function converts, calls the core once, and converts back.
#include "../bind.h"

namespace {

using namespace objects;
using bound::Expiring;

/// Of a request whose value bits are those of so many periods.
Result<Params> plan_expiring(const Request& request) {
  Request with_bits = request;
  with_bits.value_bits = cuckoo::detail::period_bits(request.value_bits);
  return plan(with_bits);
}
Address create_expiring(bool has_secret, std::uint32_t periods) {
  const SecretKey secret = scratch_secret();
  return keep(Expiring::create(planned, periods, has_secret ? &secret : nullptr));
}
void remember_from_first(Address filter) { at<Expiring>(filter).set_renews(false); }
void forget_when_full(Address filter) { at<Expiring>(filter).set_when_full(WhenFull::forget_oldest); }

double advance(Address filter, double passed) {
  return static_cast<double>(at<Expiring>(filter).advance(saturated<std::uint64_t>(passed)));
}
/// -1 if there is none.
double clock_of(Address filter) {
  const Expiring& it = at<Expiring>(filter);
  return it.has_clock() ? static_cast<double>(it.clock()) : -1;
}
void set_clock(Address filter, double clock) { at<Expiring>(filter).set_clock(saturated<std::uint64_t>(clock)); }

std::uint32_t periods(Address filter) { return at<Expiring>(filter).periods(); }
std::uint32_t remembered(Address filter) { return at<Expiring>(filter).remembered(); }

}  // namespace

PART(expiring) {
  using binding::function;
  binding::object<Expiring>();
  binding::key_calls<Expiring>();
  function("filter.plan", &make_plan<plan_expiring>);
  function("filter.create", &create_expiring);
  function("filter.describe", &describe<Expiring>);
  function("filter.doublings", &doubling_count<Expiring>);
  function("filter.readCounts", &read_counts<Expiring>);
  function("filter.clone", &clone<Expiring>);
  function("filter.loadFactor", &load_factor<Expiring>);
  function("filter.savedBytes", &saved_length<Expiring>);
  function("filter.beginSave", &begin_save<Expiring>);
  function("filter.savePiece", &save_piece<Expiring>);
  function("filter.beginLoad", &begin_load<Expiring>);
  function("filter.finishLoad", &finish_load<Expiring>);
  function("filter.merge", &objects::merge<Expiring>);
  function("filter.forgetWhenFull", &forget_when_full);
  function("filter.rememberFromFirst", &remember_from_first);
  function("filter.advance", &advance);
  function("filter.clock", &clock_of);
  function("filter.setClock", &set_clock);
  function("filter.periods", &periods);
  function("filter.remembered", &remembered);
  binding::constant("format.headerBytes", kExtendedHeaderBytes);
  binding::constant("format.trailerBytes", kTrailerBytes);
}
