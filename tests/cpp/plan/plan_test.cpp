#include "cuckoo/plan.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "cases.h"
#include "cuckoo/filters/layers.h"
#include "requests.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::request_of;

const std::uint64_t kCapacities[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 17, 30, 65, 100, 333, 1000, 10000, 100000};

/// The request that words like `1000 rate=0.03 slots=2` ask for; with the word `layers`, of a filter of several.
struct Asked {
  Request request;
  bool is_of_layers = false;

  explicit Asked(const std::string& text) {
    std::istringstream words(text);
    words >> request.capacity;
    for (std::string word; words >> word;) {
      const std::size_t at = std::min(word.find('='), word.size());
      const std::string name = word.substr(0, at), value = word.substr(std::min(at + 1, word.size()));
      if (name == "layers") is_of_layers = true;
      if (name == "rate") request.false_positive_rate = std::stod(value);
      if (name == "most") request.max_capacity = std::stoull(value);
      if (name == "slots") request.bucket_size = static_cast<std::uint32_t>(std::stoul(value));
      if (name == "bits") request.fingerprint_bits = std::stod(value);
      if (name == "buckets") request.bucket_count = std::stoull(value);
      if (name == "sort") request.semi_sort = value == "yes";
      if (name == "prefer") request.prefer = value == "speed" ? Preference::speed : Preference::space;
      if (name == "addressing" && value == "xor") request.addressing = Addressing::xor_power_of_two;
    }
  }
  [[nodiscard]] std::string answer() const {
    const Result<Params> params = is_of_layers ? plan_scalable(request) : plan(request);
    if (!params) return "refused, field " + std::to_string(static_cast<int>(params.field()));
    std::ostringstream text;
    text << params->bucket_count << " x " << params->bucket_size << " x " << fingerprint_width(*params)
         << (params->storage == Storage::semi_sorted ? " semi-sorted" : "");
    if (params->reserved_bits != 0) text << ", doubles " << params->reserved_bits << " times";
    if (is_of_layers) text << ", for " << params->capacity << " keys";
    return text.str();
  }
};

// Filters merge only if they were planned alike, so what is planned changes by decision alone. After one:
// WRITE_GOLDEN=1 build/asan/tests/plan_test --gtest_filter=Plan.ThePinned*
TEST(Plan, ThePinnedRequestsGetThePinnedSizes) {
  const auto path = std::filesystem::path(GOLDEN) / "plans.txt";
  std::ifstream file(path);
  std::string all;
  int plans = 0;
  for (std::string line; std::getline(file, line); ++plans) {
    const std::string request = line.substr(0, line.find(": "));
    const std::string planned = request + ": " + Asked(request).answer();
    if (std::getenv("WRITE_GOLDEN") == nullptr) {
      EXPECT_EQ(planned, line);
    }
    all += planned + "\n";
  }
  EXPECT_GE(plans, 30);
  if (std::getenv("WRITE_GOLDEN") != nullptr) std::ofstream(path) << all;
}

TEST(Plan, MeetsTheRateInExpectationWithValidParameters) {
  for (const double rate : {0.9, 0.3, 0.03, 0.01, 0.001, 1e-4, 1e-6, 1e-8}) {
    for (const std::uint64_t capacity : kCapacities) {
      const auto params = plan(request_of(capacity, rate));
      ASSERT_TRUE(params) << capacity << " " << rate;
      EXPECT_EQ(invalid_field(*params), Field::none);
      EXPECT_LE(false_positive_rate(*params, capacity), rate);
      EXPECT_EQ(params->capacity, capacity);
    }
  }
}

TEST(Plan, ForSpaceNeedsNoMoreBitsThanWithAGivenBucketSize) {
  for (const std::uint64_t capacity : kCapacities) {
    Request for_space = request_of(capacity);
    for_space.prefer = Preference::space;
    const auto best = plan(for_space);
    for (std::uint32_t b = 1; b <= kMaxBucketSize; ++b) {
      Request request = request_of(capacity);
      request.bucket_size = b;
      const auto other = plan(request);
      ASSERT_TRUE(other);
      EXPECT_EQ(other->bucket_size, b);
      EXPECT_LE(table_bytes(*best), table_bytes(*other));
    }
    for (const bool semi_sort : {false, true}) {
      Request request = request_of(capacity);
      request.semi_sort = semi_sort;
      const auto other = plan(request);
      ASSERT_TRUE(other);
      EXPECT_EQ(other->storage, semi_sort ? Storage::semi_sorted : Storage::plain);
      EXPECT_LE(table_bytes(*best), table_bytes(*other));
    }
  }
}

TEST(Plan, WithOneSlotPerBucketATableIsAtMostAQuarterFull) {
  for (const std::uint64_t capacity : {100u, 10'000u, 1'000'000u, 100'000'000u}) {
    Request request = request_of(capacity);
    request.bucket_size = 1;
    EXPECT_GE(slot_count(*plan(request)), 4 * capacity);
  }
}

/// The plans for `request` with each bucket size and storage that it allows.
std::vector<Params> plans_of_each_layout(Request request) {
  std::vector<Params> plans;
  const Request asked = request;
  for (std::uint32_t b = 1; b <= kMaxBucketSize; ++b) {
    for (const bool semi_sort : {false, true}) {
      if (asked.bucket_size.value_or(b) != b || asked.semi_sort.value_or(semi_sort) != semi_sort) continue;
      request.bucket_size = b;
      request.semi_sort = semi_sort;
      if (const auto params = plan(request)) plans.push_back(*params);
    }
  }
  return plans;
}

/// Bytes of the smallest of the plans that are `wanted`; as many as there can be where none is.
template <class Wanted>
std::uint64_t least_bytes(const std::vector<Params>& plans, Wanted wanted) {
  std::uint64_t least = ~std::uint64_t{0};
  for (const Params& params : plans) {
    if (wanted(params)) least = std::min(least, table_bytes(params));
  }
  return least;
}

void expect_preferences(Request request) {
  const std::uint64_t none = ~std::uint64_t{0};
  const auto is_any = [](const Params&) { return true; };
  const auto is_fast = [](const Params& each) { return each.storage == Storage::plain && has_one_word(each); };
  const std::string text = std::to_string(request.capacity) + " " +
                           std::to_string(request.fingerprint_bits.value_or(0)) + " bits, rate " +
                           std::to_string(request.false_positive_rate);
  const auto expect_bytes = [&](std::uint64_t bytes) { EXPECT_EQ(table_bytes(*plan(request)), bytes) << text; };
  request.prefer = Preference::space;
  expect_bytes(least_bytes(plans_of_each_layout(request), is_any));

  request.prefer = Preference::balance;
  const std::vector<Params> plans = plans_of_each_layout(request);
  const std::uint64_t all = least_bytes(plans, is_any), words = least_bytes(plans, has_one_word);
  const std::uint64_t balanced = words == none || 20 * all <= 19 * words ? all : words;
  expect_bytes(balanced);

  // The smallest fast table, of equals any, with the slots that it leaves free.
  request.prefer = Preference::space;
  const std::vector<Params> dense = plans_of_each_layout(request);
  const std::uint64_t plain = least_bytes(dense, is_fast);
  std::vector<std::uint64_t> fast{plain == none ? balanced : none};
  for (const Params& each : dense) {
    if (is_fast(each) && table_bytes(each) == plain) fast.push_back(table_bytes(filled_to(kFastLoad, each)));
  }
  request.prefer = Preference::speed;
  EXPECT_NE(std::find(fast.begin(), fast.end(), table_bytes(*plan(request))), fast.end()) << text;
}

TEST(Plan, TakesBucketsOfMoreThanAWordOnlyWhereTheySaveATwentiethUnlessSpaceIsPreferred) {
  for (const std::uint64_t capacity : kCapacities) {
    for (const std::optional<bool> semi_sort : {std::optional<bool>{}, {false}, {true}}) {
      Request request = request_of(capacity);
      request.semi_sort = semi_sort;
      for (const double rate : {0.5, 0.03, 0.001, 3e-4, 1e-4, 1e-5, 1e-6, 1e-8}) {
        request.false_positive_rate = rate;
        expect_preferences(request);
      }
      for (std::uint32_t bits = semi_sort.value_or(false) ? kMinSemiSortedBits : kMinFingerprintBits;
           bits <= kMaxFingerprintBits; ++bits) {
        request.fingerprint_bits = bits;
        expect_preferences(request);
      }
    }
  }
}

TEST(Plan, KnowsWhetherOneReadGetsABucketWhereverItLies) {
  testing::for_all_params({64}, [](const Params& params) {
    bool is_one_word = true;
    for (std::uint64_t bucket = 0; bucket < 64; ++bucket) {
      const std::uint64_t begin = bucket * bucket_bits(params), end = begin + bucket_bits(params);
      is_one_word = is_one_word && end <= begin / 8 * 8 + 64;
    }
    EXPECT_EQ(has_one_word(params), is_one_word) << testing::text_of(params);
  });
}

TEST(Plan, LeavesRoomForValuesOfEveryWidth) {
  for (std::uint32_t value_bits = 0; value_bits <= kMaxValueBits; ++value_bits) {
    for (const std::uint64_t capacity : {1, 5, 100, 10000}) {
      for (const std::uint64_t growth : {1, 3, 100}) {
        for (const double rate : {0.2, 0.01, 0.0001}) {
          Request request = request_of(capacity, rate);
          request.value_bits = value_bits;
          if (growth > 1) request.max_capacity = capacity * growth;
          const Result<Params> params = plan(request);
          if (!params) {
            EXPECT_EQ(params.field(), Field::false_positive_rate);
            request.value_bits = 0;
            EXPECT_GT(plan(request)->fingerprint_bits, 32 - value_bits);
            continue;
          }
          EXPECT_EQ(params->value_bits, value_bits);
          EXPECT_EQ(invalid_field(*params), Field::none);
          EXPECT_LE(entry_bits(*params), 32u);
          EXPECT_LE(false_positive_rate(*params, params->capacity), rate);
          EXPECT_TRUE(holds_capacity(grown(*params)));
          EXPECT_EQ(params->capacity, capacity * growth);
        }
      }
    }
  }
  Request request = request_of(1000);
  request.value_bits = kMaxValueBits + 1;
  EXPECT_EQ(plan(request).field(), Field::value_bits);
  request.value_bits = 20;
  request.fingerprint_bits = 13;
  EXPECT_EQ(plan(request).field(), Field::fingerprint_bits);
  request.fingerprint_bits = 12;
  EXPECT_TRUE(plan(request));
}

TEST(Plan, TakesGivenSizesAsTheyAre) {
  Request request = request_of(100);
  request.bucket_size = 3;
  request.fingerprint_bits = 9;
  request.bucket_count = 77;
  request.seed = 5;
  const auto params = plan(request);
  ASSERT_TRUE(params);
  EXPECT_EQ(params->bucket_size, 3u);
  EXPECT_EQ(params->fingerprint_bits, 9u);
  EXPECT_EQ(params->bucket_count, 77u);
  EXPECT_EQ(params->seed, 5u);
}

TEST(Plan, TakesAGivenWidthInQuartersOnlyIfAskedToSemiSort) {
  for (double width = kMinFingerprintBits; width <= kMaxFingerprintBits; width += 0.25) {
    Request request = request_of(1000);
    request.fingerprint_bits = width;
    const bool is_whole = std::floor(width) == width;
    EXPECT_EQ(plan(request).has_value(), is_whole) << width;
    request.semi_sort = true;
    const bool is_possible =
        is_whole ? width >= kMinSemiSortedBits : width > kMinSemiSortedBits && width < kMaxQuarteredBits;
    const auto params = plan(request);
    ASSERT_EQ(params.has_value(), is_possible) << width;
    if (params) {
      EXPECT_EQ(fingerprint_width(*params), width);
    }
  }
}

TEST(Plan, GivesXorAPowerOfTwo) {
  for (const std::uint64_t capacity : kCapacities) {
    Request request = request_of(capacity);
    request.addressing = Addressing::xor_power_of_two;
    const auto params = plan(request);
    ASSERT_TRUE(params);
    EXPECT_TRUE(std::has_single_bit(params->bucket_count)) << capacity;
  }
}

TEST(Plan, NamesTheFieldThatIsOutOfRange) {
  const auto field_of = [](auto change) {
    Request request = request_of(100);
    change(request);
    const auto params = plan(request);
    EXPECT_FALSE(params);
    EXPECT_EQ(params.error(), Error::out_of_range);
    return params.field();
  };
  EXPECT_EQ(field_of([](Request& r) { r.capacity = 0; }), Field::capacity);
  EXPECT_EQ(field_of([](Request& r) { r.capacity = kMaxCapacity + 1; }), Field::capacity);
  EXPECT_TRUE(plan(request_of(kMaxCapacity)));
  EXPECT_EQ(field_of([](Request& r) { r.false_positive_rate = 0; }), Field::false_positive_rate);
  EXPECT_EQ(field_of([](Request& r) { r.false_positive_rate = 1; }), Field::false_positive_rate);
  EXPECT_EQ(field_of([](Request& r) { r.false_positive_rate = NAN; }), Field::false_positive_rate);
  EXPECT_EQ(field_of([](Request& r) { r.false_positive_rate = 1e-12; }), Field::false_positive_rate);
  // The rate must be one where the width is given, too, which it then does not decide.
  for (const double rate : {0.0, -0.1, 1.0, 1.5}) {
    EXPECT_EQ(field_of([=](Request& r) { r.false_positive_rate = rate, r.fingerprint_bits = 8; }),
              Field::false_positive_rate);
  }
  EXPECT_EQ(field_of([](Request& r) { r.fingerprint_bits = 4294967304.0; }), Field::fingerprint_bits);  // 2^32 + 8
  EXPECT_EQ(field_of([](Request& r) { r.fingerprint_bits = 8.125, r.semi_sort = true; }), Field::fingerprint_bits);
  EXPECT_EQ(field_of([](Request& r) { r.capacity = 9, r.bucket_count = 1; }), Field::capacity);
  EXPECT_EQ(field_of([](Request& r) { r.capacity = 9, r.bucket_count = 1, r.bucket_size = 8; }), Field::capacity);
  EXPECT_EQ(field_of([](Request& r) { r.bucket_size = 0; }), Field::bucket_size);
  EXPECT_EQ(field_of([](Request& r) { r.bucket_size = 9; }), Field::bucket_size);
  EXPECT_EQ(field_of([](Request& r) { r.fingerprint_bits = 1; }), Field::fingerprint_bits);
  EXPECT_EQ(field_of([](Request& r) { r.fingerprint_bits = 33; }), Field::fingerprint_bits);
  EXPECT_EQ(field_of([](Request& r) { r.fingerprint_bits = 8.5; }), Field::fingerprint_bits);
  EXPECT_EQ(field_of([](Request& r) { r.fingerprint_bits = 8.1, r.semi_sort = true; }), Field::fingerprint_bits);
  EXPECT_EQ(field_of([](Request& r) { r.fingerprint_bits = NAN; }), Field::fingerprint_bits);
  EXPECT_EQ(field_of([](Request& r) { r.bucket_size = 3, r.semi_sort = true; }), Field::semi_sort);
  EXPECT_EQ(field_of([](Request& r) { r.fingerprint_bits = 4, r.semi_sort = true; }), Field::semi_sort);
  EXPECT_EQ(field_of([](Request& r) { r.bucket_count = 0; }), Field::bucket_count);
  EXPECT_EQ(field_of([](Request& r) { r.bucket_count = kMaxBucketCount + 1; }), Field::bucket_count);
  EXPECT_EQ(field_of([](Request& r) { r.bucket_count = 3, r.addressing = Addressing::xor_power_of_two; }),
            Field::bucket_count);
  EXPECT_EQ(field_of([](Request& r) { r.bucket_count = 12; }), Field::capacity);
}

TEST(Plan, NoTableHasMoreThanTheMostBuckets) {
  for (const std::uint64_t capacity : {2 * kMaxBucketCount + kMaxBucketCount / 8, kMaxCapacity}) {
    Request request = request_of(capacity, 1e-9);
    request.addressing = Addressing::xor_power_of_two;
    const auto params = plan(request);
    EXPECT_EQ(params ? invalid_field(*params) : Field::none, Field::none) << capacity;
  }
}

TEST(Plan, NamesTheLargestCapacityThatCannotBe) {
  const auto field_of = [](std::uint64_t capacity, std::uint64_t most, auto set) {
    Request request = request_of(capacity);
    request.max_capacity = most;
    set(request);
    const auto params = plan(request);
    return params ? Field::none : params.field();
  };
  const auto as_it_is = [](Request&) {};
  EXPECT_EQ(field_of(10, 10, as_it_is), Field::none);
  EXPECT_EQ(field_of(10, 9, as_it_is), Field::max_capacity);
  EXPECT_EQ(field_of(10, 0, as_it_is), Field::max_capacity);
  EXPECT_EQ(field_of(0, 10, as_it_is), Field::capacity);
  EXPECT_EQ(field_of(10, kMaxCapacity + 1, as_it_is), Field::max_capacity);
  EXPECT_EQ(field_of(10, 100, [](Request& request) { request.false_positive_rate = 1e-12; }),
            Field::false_positive_rate);
  EXPECT_EQ(field_of(10, 100, [](Request& request) { request.bucket_size = 9; }), Field::bucket_size);
  EXPECT_EQ(field_of(10, 100, [](Request& request) { request.bucket_size = 9, request.bucket_count = 4; }),
            Field::bucket_size);
  EXPECT_EQ(field_of(10, kMaxCapacity + 1, [](Request& request) { request.bucket_size = 9; }), Field::max_capacity);
  EXPECT_EQ(field_of(10, kMaxCapacity, [](Request& request) { request.bucket_size = 1; }), Field::max_capacity);
  EXPECT_EQ(field_of(10, 100, [](Request& request) { request.bucket_count = kMaxBucketCount + 1; }),
            Field::bucket_count);
  // 31 bits of a fingerprint leave one to reserve.
  EXPECT_EQ(field_of(1, 100'000,
                     [](Request& request) {
                       request.bucket_count = 4;
                       request.fingerprint_bits = 31;
                     }),
            Field::max_capacity);
}

}  // namespace
}  // namespace cuckoo
