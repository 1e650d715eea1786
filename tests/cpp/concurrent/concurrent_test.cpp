// The shared filter, one thread at a time: it is a plain filter in other memory. What threads do to each other is in
// interleaving_test.cpp, tests/soak/hammer.cpp and threads.cpp.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "cuckoo/cuckoo.h"
#include "long_run.h"
#include "random.h"
#include "saved.h"
#include "shared_made.h"

namespace cuckoo {
namespace {

using testing::fill;
using testing::runs;
using testing::saved;
using testing::shared_params;

constexpr std::uint32_t kBucketSizes[] = {2, 4, 5, 6, 8};

ConcurrentFilter make(const Params& params) { return std::move(*ConcurrentFilter::create(params)); }

TEST(ConcurrentFilter, OneThreadMakesTheBytesOfAPlainFilter) {
  for (const std::uint32_t bucket_size : kBucketSizes) {
    for (const std::uint64_t bucket_count : {1u, 2u, 7u, 64u, 1000u}) {
      for (std::uint64_t seed = 0; seed < runs(5u, 50u); ++seed) {
        const Params params = shared_params(bucket_count, bucket_size, seed);
        ConcurrentFilter shared = make(params);
        Filter plain = std::move(*Filter::create(params));
        testing::Random random(seed);
        std::vector<std::uint64_t> keys;
        for (int i = 0; i < 4000; ++i) {
          const std::uint64_t key = random.next();
          if (random.below(3) != 0) {
            const bool if_absent = i % 2 == 0;
            const InsertOutcome outcome = if_absent ? shared.insert_if_absent(key) : shared.insert(key);
            ASSERT_EQ(outcome, if_absent ? plain.insert_if_absent(key) : plain.insert(key));
            if (outcome == InsertOutcome::inserted) keys.push_back(key);
          } else if (random.below(2) != 0 && !keys.empty()) {
            std::swap(keys[random.below(keys.size())], keys.back());
            ASSERT_EQ(shared.erase(keys.back()), plain.erase(keys.back()));
            keys.pop_back();
          }
          ASSERT_EQ(shared.contains(key), plain.contains(key));
          ASSERT_EQ(shared.count(key), plain.count(key));
          ASSERT_EQ(shared.erase(~key), plain.erase(~key));
        }
        ASSERT_EQ(shared.size(), plain.size());
        ASSERT_EQ(shared.expected_false_positive_rate(), plain.expected_false_positive_rate());
        const Result<Filter> snapshot = shared.snapshot();
        ASSERT_TRUE(snapshot && *snapshot == plain) << bucket_size << " x " << bucket_count << " seed " << seed;
      }
    }
  }
}

TEST(ConcurrentFilter, AnInsertThatIsRefusedChangesNothing) {
  for (const std::uint32_t bucket_size : kBucketSizes) {
    ConcurrentFilter filter = make(shared_params(20, bucket_size));
    int refused = 0;
    for (std::uint64_t key = 0; refused < 300; ++key) {
      const Filter before = std::move(*filter.snapshot());
      const std::uint64_t size = filter.size();
      if (filter.insert(key) == InsertOutcome::inserted) continue;
      ++refused;
      ASSERT_TRUE(before == *filter.snapshot());
      ASSERT_EQ(filter.size(), size);
    }
    EXPECT_GT(filter.load_factor(), bucket_size == 2 ? 0.7 : 0.9);
  }
}

TEST(ConcurrentFilter, EveryKeyIsFoundUpToFull) {
  for (const std::uint32_t bucket_size : kBucketSizes) {
    for (const std::uint64_t bucket_count : {1u, 3u, 100u, 3000u}) {
      ConcurrentFilter filter = make(shared_params(bucket_count, bucket_size));
      const std::vector<std::uint64_t> keys = fill(filter, 10);
      ASSERT_EQ(filter.size(), keys.size());
      std::vector<Hash> hashes;
      for (const std::uint64_t key : keys) hashes.push_back(filter.hash(key));
      std::vector<std::uint8_t> found(keys.size());
      filter.contains_many(hashes, found);
      for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_TRUE(filter.contains(keys[i]) && found[i] == 1);
      for (const std::uint64_t key : keys) ASSERT_TRUE(filter.erase(key));
      ASSERT_TRUE(filter.empty());
    }
  }
}

TEST(ConcurrentFilter, BatchesDoWhatSingleCallsDo) {
  for (const std::uint32_t bucket_size : kBucketSizes) {
    const Params params = shared_params(100, bucket_size, 5);
    ConcurrentFilter many = make(params);
    ConcurrentFilter single = make(params);
    testing::Random random(bucket_size);
    std::vector<Hash> hashes;
    bool was_refused = false;
    for (int round = 0; round < 200; ++round) {
      const std::size_t count = random.below(1200);
      for (std::size_t i = 0; i < count; ++i) hashes.push_back(single.hash(random.below(1500)));
      std::vector<std::uint8_t> expected, is_new(hashes.size(), 9);
      const bool if_absent = random.below(2) != 0;
      std::size_t done = 0;
      InsertOutcome outcome = InsertOutcome::inserted;
      for (const Hash hash : hashes) {
        outcome = if_absent ? single.insert_if_absent(hash) : single.insert(hash);
        if (outcome != InsertOutcome::inserted && outcome != InsertOutcome::present) break;
        expected.push_back(outcome == InsertOutcome::inserted);
        outcome = InsertOutcome::inserted;
        ++done;
      }
      const BatchOutcome batch = if_absent ? many.insert_many_if_absent(hashes, is_new) : many.insert_many(hashes);
      ASSERT_EQ(batch.done, done);
      ASSERT_EQ(batch.outcome, outcome);
      was_refused |= done < hashes.size();
      is_new.resize(done);
      if (if_absent) {
        ASSERT_EQ(is_new, expected);
      }
      ASSERT_EQ(many.size(), single.size());
      std::size_t erased = 0;
      for (const Hash hash : hashes) erased += single.erase(hash) ? 1u : 0u;
      ASSERT_EQ(many.erase_many(hashes), erased);
      ASSERT_EQ(many.size(), single.size());
      ASSERT_TRUE(*many.snapshot() == *single.snapshot());
      hashes.clear();
    }
    EXPECT_TRUE(was_refused);
  }
}

TEST(ConcurrentFilter, CopiesOfOneKeyAreRefusedByName) {
  ConcurrentFilter filter = make(shared_params(100, 4));
  std::uint32_t copies = 0;
  while (filter.insert("key") == InsertOutcome::inserted) ++copies;
  EXPECT_TRUE(copies == 8 || copies == 4);
  EXPECT_EQ(filter.insert("key"), InsertOutcome::too_many_copies);
  EXPECT_EQ(filter.count("key"), copies);
  EXPECT_EQ(filter.insert_if_absent("key"), InsertOutcome::present);
  EXPECT_EQ(filter.insert("another"), InsertOutcome::inserted);
  EXPECT_TRUE(filter.clear());
  EXPECT_TRUE(filter.empty() && !filter.contains("key"));
}

TEST(ConcurrentFilter, ACopyEndsAndHasAKeyAlthoughOthersAlikeAreErased) {
  for (const std::uint32_t bucket_size : kBucketSizes) {
    for (std::uint64_t key = 0; key < 20; ++key) {
      ConcurrentFilter filter = make(shared_params(64, bucket_size));
      std::uint32_t copies = 0;
      while (filter.insert(key) == InsertOutcome::inserted) ++copies;
      std::vector<std::uint8_t> bytes(64 * 8 + detail::kTablePadding);
      detail::TableCopy<NativeMachine> copy(detail::Access::entries(filter));
      copy.next(32, bytes.data());
      while (--copies != 0) ASSERT_TRUE(filter.erase(key));
      copy.next(copy.left(), bytes.data());
      EXPECT_NE(copy.size(), 0u);
      EXPECT_TRUE(copy.end());
      EXPECT_EQ(filter.count(key), 1u);
    }
  }
}

TEST(ConcurrentFilter, IsMadeOfAPlainFilterAndSavedAsOne) {
  const Params params = *plan_shared({.capacity = 5000, .false_positive_rate = 0.001, .seed = 7});
  Filter plain = std::move(*Filter::create(params));
  for (std::uint64_t key = 0; key < 5000; ++key) ASSERT_EQ(plain.insert(key), InsertOutcome::inserted);
  const std::vector<std::uint8_t> bytes = saved(plain);
  const ConcurrentFilter shared = std::move(*ConcurrentFilter::create(*load(bytes)));
  EXPECT_EQ(shared.size(), 5000u);
  for (std::uint64_t key = 0; key < 5000; ++key) ASSERT_TRUE(shared.contains(key));
  EXPECT_EQ(saved(*shared.snapshot()), bytes);
}

TEST(ConcurrentFilter, LivesInMemoryOfTheCallers) {
  const Params params = shared_params(50, 4);
  std::vector<detail::PaddedWord> memory(static_cast<std::size_t>(ConcurrentFilter::memory_bytes(params)) / 64 + 2);
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(memory));
  EXPECT_EQ(ConcurrentFilter::attach(bytes).error(), Error::not_a_filter);
  EXPECT_EQ(ConcurrentFilter::create_in(bytes.subspan(1), params).error(), Error::not_aligned);
  EXPECT_EQ(ConcurrentFilter::create_in(bytes.first(1000), params).error(), Error::cut_short);
  const SecretKey secret{1, 2};
  EXPECT_EQ(ConcurrentFilter::create_in(bytes, params, &secret).error(), Error::wrong_key);
  ConcurrentFilter first = std::move(*ConcurrentFilter::create_in(bytes, params));
  EXPECT_EQ(ConcurrentFilter::attach(bytes.first(100)).error(), Error::cut_short);
  EXPECT_EQ(ConcurrentFilter::attach(bytes.first(bytes.size() - 192)).error(), Error::cut_short);
  ConcurrentFilter second = std::move(*ConcurrentFilter::attach(bytes));
  ASSERT_EQ(first.insert("key"), InsertOutcome::inserted);
  EXPECT_TRUE(second.contains("key") && second.size() == 1 && second.erase("key") && first.empty());
}

TEST(ConcurrentFilter, KeepsASecretKey) {
  const SecretKey secret{3, 4};
  ConcurrentFilter filter = std::move(*ConcurrentFilter::create(100, 0.001, &secret));
  ASSERT_EQ(filter.insert("key"), InsertOutcome::inserted);
  EXPECT_TRUE(filter.hasher().is_keyed() && filter.contains("key") && filter.contains(filter.hash("key")));
}

TEST(ConcurrentFilter, RefusesByNameWhatThreadsCannotShare) {
  const auto field_of = [](Params params) { return ConcurrentFilter::create(params).field(); };
  const Params params = shared_params(10, 4);
  EXPECT_EQ(field_of(params), Field::none);
  Params other = params;
  other.storage = Storage::semi_sorted;
  EXPECT_EQ(field_of(other), Field::semi_sort);
  other = params;
  other.fingerprint_bits = 12;
  EXPECT_EQ(field_of(other), Field::fingerprint_bits);
  other.reserved_bits = 4;
  EXPECT_EQ(field_of(other), Field::max_capacity);
  other.reserved_bits = 0;
  other.value_bits = 4;
  EXPECT_EQ(field_of(other), Field::value_bits);
  for (const std::uint32_t bucket_size : {1u, 3u, 7u}) {
    other = params;
    other.bucket_size = bucket_size;
    other.fingerprint_bits = std::min(32u, 64 / bucket_size);
    other.capacity = 10;
    EXPECT_EQ(field_of(other), Field::bucket_size);
  }
  const Filter plain = std::move(*Filter::create(*plan({.capacity = 100})));
  EXPECT_EQ(ConcurrentFilter::create(plain).error(), Error::out_of_range);
}

TEST(ConcurrentFilter, HasTheKeysOfAPlainFilterWhoseTableIsStillMoved) {
  Params params = shared_params(512, 4);
  params.reserved_bits = 1;
  params.capacity = slot_count(params);
  params.tuning.buckets_per_call = 1;
  Filter plain = std::move(*Filter::create(params));
  std::uint64_t keys = 0;
  while (plain.params().reserved_bits != 0) ASSERT_EQ(plain.insert(keys++), InsertOutcome::inserted);
  ASSERT_TRUE(detail::Access::entries(plain).has_work());
  const auto shared = ConcurrentFilter::create(plain);
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->size(), keys);
  for (std::uint64_t key = 0; key < keys; ++key) ASSERT_TRUE(shared->contains(key)) << key;
  EXPECT_EQ(saved(*shared->snapshot()), saved(plain));
}

TEST(ConcurrentFilter, IsMadeOnlyOfValidParametersInMemoryThatIsLongEnough) {
  EXPECT_TRUE(ConcurrentFilter::create(100, 0.001));
  const auto refused = ConcurrentFilter::create(0, 0.001);
  EXPECT_EQ(refused.error(), Error::out_of_range);
  EXPECT_EQ(refused.field(), Field::capacity);
  Params params = shared_params(10);
  params.capacity = 0;
  EXPECT_EQ(ConcurrentFilter::create(params).field(), Field::capacity);
  std::vector<detail::PaddedWord> memory(static_cast<std::size_t>(ConcurrentFilter::memory_bytes(params)) / 64 + 2);
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(memory));
  EXPECT_EQ(ConcurrentFilter::create_in(bytes, params).field(), Field::capacity);
  EXPECT_EQ(ConcurrentFilter::attach(bytes.first(100)).error(), Error::cut_short);
  EXPECT_EQ(ConcurrentFilter::attach(bytes.subspan(1)).error(), Error::not_aligned);
  EXPECT_EQ(ConcurrentFilter::attach(bytes.first(sizeof(detail::SharedState))).error(), Error::not_a_filter);
  params = shared_params(8);
  const auto whole = bytes.first(static_cast<std::size_t>(ConcurrentFilter::memory_bytes(params)));
  EXPECT_TRUE(ConcurrentFilter::create_in(whole, params));
  EXPECT_TRUE(ConcurrentFilter::attach(whole));
  EXPECT_EQ(ConcurrentFilter::attach(whole.first(whole.size() - 8)).error(), Error::cut_short);
}

TEST(ConcurrentFilter, IsEqualToOneWithTheSameEntries) {
  for (const std::uint32_t bucket_size : kBucketSizes) {
    ConcurrentFilter forward = make(shared_params(7, bucket_size, 1));
    ConcurrentFilter backward = make(shared_params(7, bucket_size, 1));
    const std::uint64_t count = 2 * bucket_size;
    for (std::uint64_t key = 0; key < count; ++key) {
      ASSERT_EQ(forward.insert(key), InsertOutcome::inserted);
      ASSERT_EQ(backward.insert(count - 1 - key), InsertOutcome::inserted);
    }
    EXPECT_EQ(forward == backward, *forward.snapshot() == *backward.snapshot());
    EXPECT_TRUE(forward == forward);
    ConcurrentFilter copy = std::move(*ConcurrentFilter::create(*forward.snapshot()));
    EXPECT_TRUE(forward == copy);
    ASSERT_TRUE(copy.erase(std::uint64_t{1}));
    EXPECT_FALSE(forward == copy);
    EXPECT_FALSE(forward == make(shared_params(7, bucket_size, 2)));
  }
}

TEST(ConcurrentFilter, SavesWhatASnapshotSaves) {
  ConcurrentFilter shared = make(shared_params(64, 4, 1));
  for (std::uint64_t key = 0; key < 200; ++key) ASSERT_EQ(shared.insert(key), InsertOutcome::inserted);
  const auto bytes = save(shared);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(*bytes, saved(*shared.snapshot()));
  std::vector<std::uint8_t> joined;
  EXPECT_TRUE(save(shared, [&](std::span<const std::uint8_t> piece) {
    joined.insert(joined.end(), piece.begin(), piece.end());
    return true;
  }));
  EXPECT_EQ(joined, *bytes);
  EXPECT_EQ(shared.byte_count(), 64 * 8u);
}

}  // namespace
}  // namespace cuckoo
