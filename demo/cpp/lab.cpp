// The lab's filters for the page's comparison, run in a worker. Invariant: nothing is decided here; cpp/lab builds and
// measures, and each figure goes to the page as it is told. Numbers cross as doubles, texts and lists through one
// buffer.
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "cuckoo/hash/xxh64.h"
#include "lab/comparison.h"

extern "C" {
/// Seconds on the browser's clock.
__attribute__((import_module("page"), import_name("now"))) double page_now();
/// A figure of the comparison, by its number in `lab::Figure`.
__attribute__((import_module("page"), import_name("tell"))) void page_tell(std::uint32_t figure, double value);
/// A point of a figure of the paper: which of its lines, x and y.
__attribute__((import_module("page"), import_name("point"))) void page_point(std::uint32_t figure, std::uint32_t line,
                                                                             double x, double y);
/// A row of Table 3, as in `lab::Row`.
__attribute__((import_module("page"), import_name("row"))) void page_row(double items, double bytes, double rate,
                                                                         double expected, double build,
                                                                         double lines_absent, double lines_present);
}

namespace {

using lab::Kind;

/// Lines that are read of a file at most, the same for each pass.
constexpr std::uint64_t kMostLines = 5'000'000;
/// Bytes of false positives that one call gives at most.
constexpr std::size_t kMostNameBytes = 1 << 20;

std::array<std::unique_ptr<lab::Contender>, lab::kNames.size()> filters;
lab::Keys keys;
/// Keys of lines, until they are settled.
std::vector<std::uint64_t> lines;
std::uint64_t line_count = 0;
std::vector<std::uint8_t> buffer;
/// The end of a piece of a file, without the line break that ends its last line.
std::vector<std::uint8_t> rest;
/// Of the lines, out of 2^32, how many go in.
std::uint64_t share_in = 0;

std::uint64_t key_of(std::string_view text) { return static_cast<std::uint64_t>(cuckoo::detail::xxh64(text, 0)); }
bool goes_in(std::uint64_t key) { return lab::high_half(lab::mix(key)) < share_in; }

/// Calls `act(line)` for each line of the piece in the buffer that is not empty, without `\n` or `\r\n`, up to
/// `kMostLines` of all pieces; the line that the piece leaves unfinished waits for the next one.
template <class Act>
void each_line(std::size_t length, bool is_last, Act act) {
  const auto take = [&](std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line_count == kMostLines) return;
    ++line_count;
    act(line);
  };
  const auto text = [](const std::vector<std::uint8_t>& bytes, std::size_t from, std::size_t to) {
    return std::string_view(reinterpret_cast<const char*>(bytes.data()) + from, to - from);
  };
  std::size_t begin = 0;
  while (begin < length) {
    const void* const found = std::memchr(buffer.data() + begin, '\n', length - begin);
    if (found == nullptr) break;
    const auto end = static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - buffer.data());
    if (rest.empty()) {
      take(text(buffer, begin, end));
    } else {
      rest.insert(rest.end(), buffer.data() + begin, buffer.data() + end);
      take(text(rest, 0, rest.size()));
      rest.clear();
    }
    begin = end + 1;
  }
  rest.insert(rest.end(), buffer.data() + begin, buffer.data() + length);
  if (!is_last) return;
  take(text(rest, 0, rest.size()));
  rest.clear();
}

lab::Contender* filter_of(std::uint32_t kind) { return kind < filters.size() ? filters[kind].get() : nullptr; }

/// Whether that much more memory is there, which containers would not survive the lack of.
bool has_room_for(double bytes) {
  void* const room = bytes < 2e9 ? std::malloc(static_cast<std::size_t>(bytes)) : nullptr;
  std::free(room);
  return room != nullptr;
}

/// Bytes per key that a build takes besides the filter.
double bytes_to_build(Kind kind) { return kind == Kind::binary_fuse ? 80 : kind == Kind::cuckoo_table ? 10 : 1; }

class ToPage : public lab::Listener {
 public:
  explicit ToPage(std::uint32_t figures) : figures_(figures) {}

  void hear(const lab::Point& point) override {
    page_point(static_cast<std::uint32_t>(point.figure), point.line[0] == 'p' ? 1 : 0, point.x, point.y);
  }
  void hear(const lab::Row& row) override {
    page_row(static_cast<double>(row.items), static_cast<double>(row.bytes), row.rate, row.expected, row.build,
             row.lines_absent, row.lines_present);
  }
  void hear_fault(const char*) override { std::abort(); }
  [[nodiscard]] bool wants(int figure) const override { return (figures_ >> figure & 1) != 0; }

 private:
  std::uint32_t figures_;
};

}  // namespace

extern "C" {
#define EXPORT [[gnu::used, gnu::visibility("default")]]
/// Room for `length` bytes, which the next call reads; what another call wrote is there until then.
EXPORT std::uint8_t* lab_buffer(std::size_t length) {
  if (buffer.size() < length) buffer.resize(length);
  return buffer.data();
}

/// From now on keys are numbers, as many as wanted.
EXPORT void lab_use_numbers() {
  for (auto& filter : filters) filter.reset();
  keys = lab::Keys();
}
/// Begins to read a file: as line keys, or once more for the names of its lines.
EXPORT void lab_begin_lines(std::uint32_t is_for_keys) {
  line_count = 0;
  rest.clear();
  if (is_for_keys == 0) return;
  lab_use_numbers();
  lines.clear();
}
/// Reads a piece of the file. Returns the lines so far.
EXPORT double lab_read_lines(std::size_t length, std::uint32_t is_last) {
  each_line(length, is_last != 0, [](std::string_view line) { lines.push_back(key_of(line)); });
  return static_cast<double>(line_count);
}
/// From now on keys are the different lines read, of which about a share, from 0 to 1, goes in. Returns how many do.
EXPORT double lab_use_lines(double share) {
  share_in = static_cast<std::uint64_t>(share * 4294967296.0);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  const auto others = std::partition(lines.begin(), lines.end(), goes_in);
  const auto present = static_cast<std::uint64_t>(others - lines.begin());
  keys = lab::Keys(std::move(lines), present);
  lines = {};
  return static_cast<double>(present);
}
/// Different lines that do not go in.
EXPORT double lab_absent_lines() { return static_cast<double>(keys.absent_count()); }

/// Builds and measures a filter, at a rate or, if that is 0, at bits per key. Returns `lab::Refusal`; its value is told
/// as the expected rate or as the bits per key.
EXPORT std::uint32_t lab_compare(std::uint32_t kind, double key_count, double rate, double bits_per_key,
                                 double present_share) {
  const auto its_kind = static_cast<Kind>(kind);
  const auto count = static_cast<std::uint64_t>(key_count);
  filters[kind].reset();
  const lab::Fit fit = lab::fit(its_kind, count, {.rate = rate, .bits_per_key = bits_per_key});
  if (fit.refusal != lab::Refusal::none) {
    const bool is_rate = fit.refusal != lab::Refusal::too_few_bits;
    page_tell(static_cast<std::uint32_t>(is_rate ? lab::Figure::expected_rate : lab::Figure::bits_per_key), fit.value);
    return static_cast<std::uint32_t>(fit.refusal);
  }
  const auto out_of_memory = static_cast<std::uint32_t>(lab::Refusal::out_of_memory);
  // Twice, as a second one is emptied.
  if (!has_room_for(2 * static_cast<double>(fit.form.bytes) + key_count * bytes_to_build(its_kind) + (1 << 25))) {
    return out_of_memory;
  }
  filters[kind] =
      lab::compare(its_kind, fit.form, keys, {count, present_share}, page_now,
                   [](lab::Figure figure, double value) { page_tell(static_cast<std::uint32_t>(figure), value); });
  return filters[kind] ? 0 : out_of_memory;
}

/// Looks a key up: the text of `length` bytes in the buffer, or, if `length` is 0, key `number` of those present, or of
/// those absent if it is negative. Writes the reads into the buffer, each as its first byte and its count of bytes, as
/// doubles, and behind them the cache lines that they touch. Returns how many reads, times two, and one more if the key
/// was found; -1 if the filter was not built.
EXPORT double lab_watch(std::uint32_t kind, std::size_t length, double number) {
  const lab::Contender* const filter = filter_of(kind);
  if (filter == nullptr) return -1;
  std::uint64_t key;
  if (length > 0) {
    key = key_of({reinterpret_cast<const char*>(buffer.data()), length});
  } else {
    key = number >= 0 ? keys.present(static_cast<std::uint64_t>(number) % std::max<std::uint64_t>(1, filter->size()))
                      : keys.absent(static_cast<std::uint64_t>(-1 - number));
  }
  std::vector<lab::Read> reads;
  const bool is_found = filter->watch(key, reads);
  std::vector<double> numbers;
  for (const auto& [byte, bytes] : reads) {
    numbers.push_back(static_cast<double>(byte));
    numbers.push_back(static_cast<double>(bytes));
  }
  numbers.push_back(static_cast<double>(lab::lines_of(reads).size()));
  std::memcpy(lab_buffer(8 * numbers.size()), numbers.data(), 8 * numbers.size());
  return static_cast<double>(2 * reads.size() + (is_found ? 1 : 0));
}
/// The lines of a piece of the file that did not go in and are found: their texts stand in the buffer, each before a
/// line break. Returns their bytes.
EXPORT double lab_false_lines(std::uint32_t kind, std::size_t length, std::uint32_t is_last) {
  const lab::Contender* const filter = filter_of(kind);
  std::vector<std::uint8_t> names;
  each_line(length, is_last != 0, [&](std::string_view line) {
    const std::uint64_t key = key_of(line);
    if (filter == nullptr || goes_in(key) || filter->find({&key, 1}) == 0) return;
    if (names.size() + line.size() + 1 > kMostNameBytes) return;
    names.insert(names.end(), line.begin(), line.end());
    names.push_back('\n');
  });
  std::memcpy(lab_buffer(names.size()), names.data(), names.size());
  return static_cast<double>(names.size());
}

/// Table 3 and Figures 5 to 8 of a filter, those whose bits are set in `figures`. False if there is no such filter.
EXPORT std::uint32_t lab_evaluate(std::uint32_t kind, std::uint32_t log2_buckets, std::uint32_t figures) {
  ToPage page(figures);
  return lab::evaluate(static_cast<Kind>(kind), log2_buckets, 1, page_now, page) ? 1 : 0;
}
/// A point of Figure 4: the rate measured, and the bits per key. False if the kind has no form for the rate.
EXPORT std::uint32_t lab_space(std::uint32_t kind, double key_count, double rate) {
  double bits = 0, measured = 0;
  const auto count = static_cast<std::uint64_t>(key_count);
  if (!lab::measure_space(static_cast<Kind>(kind), count, rate, page_now, &bits, &measured)) return 0;
  page_point(4, 0, measured, bits);
  return 1;
}
/// How full a cuckoo hash table gets; with a breadth-first search if `is_search`, else by a random walk.
EXPORT double lab_table_load(std::uint32_t function_count, std::uint32_t bucket_size, std::uint32_t is_search,
                             double slot_count, double seed) {
  return lab::table_load(function_count, bucket_size,
                         is_search != 0 ? lab::Search::breadth_first : lab::Search::random_walk,
                         static_cast<std::uint64_t>(slot_count), static_cast<std::uint64_t>(seed));
}
EXPORT double lab_load_threshold(std::uint32_t function_count, std::uint32_t bucket_size) {
  return lab::load_threshold(function_count, bucket_size);
}
}
