// The class SharedCuckooFilter: one filter in memory that threads share, and one thread's way to it. The module has no
// heap, because memory holds nothing but that filter and a place per thread.
// Invariant: calls on keys convert, call the core once, and convert back. Filters are made, saved and loaded here, step
// by step: those of the core (`create_in`, `snapshot`, `Loader`) may need a heap. Their checks are the core's.
#include "shared.h"

#include "../calls.h"
#include "cuckoo/format/format.h"

namespace {

using namespace cuckoo;
using namespace objects;
using bound::Shared;
using bound::SharedMachine;
using Copy = detail::TableCopy<SharedMachine>;

/// What a filter with these parameters is and takes; its buckets are whole words.
void put_sizes(const Params& params) {
  Sizes sizes = sizes_of(params);
  sizes.byte_length = sizes.max_byte_length = static_cast<double>(shared_table_bytes(params));
  put_results(sizes);
}

Result<Params> plan_words(const Request& request) { return plan_shared(request); }
void describe_planned() { put_sizes(planned); }
void describe_shared(Address filter) { put_sizes(at<Shared>(filter).params()); }
double planned_memory() { return static_cast<double>(sizeof(detail::SharedState) + shared_table_bytes(planned)); }

PER_THREAD bound::Room<Shared> room;
PER_THREAD bound::Room<Copy> copying;
PER_THREAD bound::Room<detail::Xxh64Stream> checksum;
PER_THREAD bound::Room<detail::PayloadCheck> loading;

auto& entries_of(Address filter) { return detail::Access::entries(at<Shared>(filter)); }
std::byte* memory_at(Address memory) { return reinterpret_cast<std::byte*>(memory); }

void open(std::uint32_t thread, bool may_wait) {
  bound::this_thread = thread;
  bound::may_wait = may_wait;
}
/// Makes the last plan in memory that is zero. 0 if the secret is missing or too many.
Address make_in(Address memory, bool has_secret) {
  const SecretKey secret = scratch_secret();
  const SecretKey* const given = has_secret ? &secret : nullptr;
  last = {Hasher::fit(planned, given) ? Error::none : Error::wrong_key, Field::none};
  if (last.error != Error::none) return 0;
  detail::begin_in<SharedMachine>(memory_at(memory), planned, Hasher(planned, given), true);
  return address_of(&room.make(memory_at(memory)));
}
/// 0 if no filter lies in the `length` bytes from there on.
Address attach_to(Address memory, double length) {
  if (length < sizeof(detail::SharedState)) return 0;
  const detail::SharedState& state = detail::state_in(memory_at(memory));
  if (SharedMachine::load(state.magic) != detail::SharedState::kMagic) return 0;
  if (length < static_cast<double>(Shared::memory_bytes(state.params))) return 0;
  return address_of(&room.make(memory_at(memory)));
}
bool clear_all(Address filter) { return at<Shared>(filter).clear(); }

void read_counts_of(Address) { put_results(counts_of(bound::insert_counts.statistics())); }
std::uint32_t no_doublings(Address) { return 0; }
bool cannot_shrink(Address) { return false; }
double saved_length_of(Address filter) {
  return static_cast<double>(kHeaderBytes + table_bytes(at<Shared>(filter).params()) + kTrailerBytes);
}

// Saving: the table piece by piece, under the lock; then the header, which says how many entries that gave; then the
// checksum of all that, piece by piece.

/// Buckets whose bits go into one piece, with padding after it.
constexpr std::uint64_t kPieceBuckets = detail::PayloadCheck::kPieceBuckets;
static_assert(kPieceBuckets * 8 + detail::kTablePadding <= sizeof scratch.bytes);

bool begin_copy(Address filter) { return copying.make(entries_of(filter)).has_begun(); }
std::uint32_t copy_piece(Address filter) {
  const std::uint64_t buckets = std::min(kPieceBuckets, (*copying).left());
  if (buckets != 0) (*copying).next(buckets, scratch.bytes);
  return static_cast<std::uint32_t>((buckets * detail::bucket_bits(at<Shared>(filter).params()) + 7) / 8);
}
bool end_copy() { return (*copying).end(); }
/// Puts the header of the copy into the scratch buffer, and begins the checksum with it.
void put_header(Address filter) {
  const Shared& it = at<Shared>(filter);
  const auto bytes = detail::write_header({it.params(), (*copying).size()}, it.hasher());
  std::copy_n(bytes.begin(), kHeaderBytes, scratch.bytes);
  checksum.make().update(scratch_bytes(kHeaderBytes));
}
void add_to_checksum(std::uint32_t length) { (*checksum).update(scratch_bytes(length)); }
void put_checksum() { detail::store_word(scratch.bytes, static_cast<std::uint64_t>((*checksum).finish())); }

// Loading, likewise: the header is the last plan then.

bool begin_load_of(std::uint32_t head_bytes, double total_bytes, double max_bytes, bool has_secret) {
  const SecretKey secret = scratch_secret();
  const std::span<const std::uint8_t> head = scratch_bytes(head_bytes);
  const Result<detail::Header> header =
      detail::read_header_to_load(head, saturated<std::uint64_t>(total_bytes), has_secret ? &secret : nullptr);
  last = {header.error(), Field::none};
  if (!header) return false;
  if (static_cast<double>(shared_table_bytes(header->params)) > max_bytes) {
    last.error = Error::too_large;
  } else if (last.field = unshareable_field(header->params); last.field != Field::none) {
    last.error = Error::out_of_range;
  }
  if (last.error != Error::none) return false;
  planned = header->params;
  loading.make(head, *header);
  return true;
}
std::uint32_t piece_bytes() { return static_cast<std::uint32_t>((*loading).piece_bytes()); }
/// Takes the next piece of the table, of `piece_bytes()`, from the scratch buffer.
void load_piece(Address filter) {
  detail::PayloadCheck& check = *loading;
  std::fill_n(scratch.bytes + check.piece_bytes(), detail::kTablePadding, std::uint8_t{0});
  const detail::BucketLayout& layout = entries_of(filter).layout();
  const std::uint64_t first = planned.bucket_count - check.left();
  detail::unpack(layout, scratch.bytes, check.piece_buckets(), &entries_of(filter).words_for_loading()[first]);
  check.add(layout, scratch.bytes);
}
/// Takes the checksum from the scratch buffer.
bool end_load(Address filter) {
  last.error = (*loading).finish(detail::load_word(scratch.bytes));
  entries_of(filter).state().sizes[0].word = (*loading).header().size;
  return last.error == Error::none;
}

}  // namespace

EMSCRIPTEN_BINDINGS(shared_filter) {
  using binding::constant;
  using binding::function;
  binding::key_calls<Shared>();
  binding::entry_calls<Shared>();
  function("filter.size", &size<Shared>);
  function("filter.falsePositiveRate", &expected_rate<Shared>);
  function("filter.loadFactor", &load_factor<Shared>);
  function("filter.plan", &make_plan<plan_words>);
  function("filter.describe", &describe_shared);
  function("filter.readCounts", &read_counts_of);
  function("filter.doublings", &no_doublings);
  function("filter.shrink", &cannot_shrink);
  function("filter.savedBytes", &saved_length_of);
  function("shared.planPlain", &make_plan<plan_table>);
  function("shared.describePlan", &describe_planned);
  function("shared.memoryBytes", &planned_memory);
  function("shared.open", &open);
  function("shared.create", &make_in);
  function("shared.attach", &attach_to);
  function("shared.clear", &clear_all);
  function("shared.beginCopy", &begin_copy);
  function("shared.copyPiece", &copy_piece);
  function("shared.endCopy", &end_copy);
  function("shared.putHeader", &put_header);
  function("shared.addToChecksum", &add_to_checksum);
  function("shared.putChecksum", &put_checksum);
  function("shared.beginLoad", &begin_load_of);
  function("shared.pieceBytes", &piece_bytes);
  function("shared.loadPiece", &load_piece);
  function("shared.endLoad", &end_load);
  constant("shared.busy", static_cast<std::size_t>(InsertOutcome::busy));
  constant("shared.mostCopies", detail::kMaxCopyAttempts);
  constant("shared.alignment", detail::kCacheLine);
}

void binding::long_key_calls() {
  function("longKey.piece", &calls::hash_piece);
  function("longKey.finish", &calls::finish_long_key);
}
