// One filter of the lab's comparison: built for keys and a goal, asked, watched and emptied; and the sizes at which
// cuckoo hash tables stop filling. Invariant: every figure is reported repeatedly while it is measured, so that the
// listener can draw it live; the last value reported is the result.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "lab/cuckoo_hash_table.h"
#include "lab/evaluation.h"
#include "lab/fit.h"

namespace lab {

enum class Figure : std::uint8_t {
  progress,      ///< of this filter, from 0 to 1
  wanted,        ///< keys that should go in
  bits_per_key,  ///< of the keys that went in
  bytes,
  inserted,       ///< keys
  lost,           ///< keys that went in and were not found: 0
  expected_rate,  ///< by the formula of its paper
  asked,          ///< absent keys
  found,          ///< of those
  build_speed,    ///< million keys per second
  lookup_speed,
  erase_speed,   ///< not told of a filter that cannot
  lines_absent,  ///< cache lines that a lookup reads, on average
  lines_present,
};

/// What is compared.
struct Trial {
  std::uint64_t key_count;  ///< from 1
  double present_share;     ///< of the keys asked in timed lookups
};

namespace comparison_detail {

/// Keys that are asked to measure the rate: all that there are, or enough for rates down to 10^-5.
constexpr std::uint64_t kMostAsked = 1 << 21;

/// Puts the first `count` keys in, and tells `tell(done, seconds)` after each block. Returns how many went in.
template <class Tell>
std::uint64_t insert_all(Contender& filter, const Keys& keys, std::uint64_t count, Clock clock, Tell tell) {
  if (!filter.can_grow()) {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = keys.present(i);
    const double start = clock();
    const std::uint64_t done = filter.insert(all);
    tell(done, clock() - start);
    return done;
  }
  std::uint64_t done = 0;
  double seconds = 0;
  for (bool has_room = true; done < count && has_room;) {
    const std::uint64_t end = std::min(count, done + kBlock);
    seconds += in_blocks(keys, done, end, clock, [&](const std::vector<std::uint64_t>& block) {
      done += filter.insert(block);
      return has_room = done == end;
    });
    tell(done, seconds);
  }
  return done;
}

/// Asks a full filter for present and absent keys, and watches lookups of both.
template <class Tell>
void ask(const Contender& filter, const Keys& keys, std::uint64_t n, double present_share, Clock clock, Tell tell) {
  std::uint64_t found = 0;
  (void)in_blocks(keys, 0, n, clock, [&](const std::vector<std::uint64_t>& block) {
    found += filter.find(block);
    return true;
  });
  tell(Figure::lost, static_cast<double>(n - found));
  const std::uint64_t asked = keys.absent_count() > 0 ? keys.absent_count() : kMostAsked;
  (void)found_absent(filter, keys, asked, [&](std::uint64_t done, std::uint64_t hits) {
    tell(Figure::asked, static_cast<double>(done));
    tell(Figure::found, static_cast<double>(hits));
  });
  tell(Figure::progress, 0.5);
  tell(Figure::lookup_speed, lookup_speed(filter, keys, n, present_share, 3, clock));
  tell(Figure::lines_absent, lines_read(filter, keys, n, false));
  tell(Figure::lines_present, lines_read(filter, keys, n, true));
}

/// Builds filters of the form again, and empties those that can be, until a million keys went in: one build of few keys
/// is shorter than what a browser's clock tells apart, and the first is slowed by a compiler that is still at work.
template <class Tell>
void build_again(Kind kind, const Form& form, const Keys& keys, std::uint64_t n, std::uint64_t wanted, Clock clock,
                 Tell tell) {
  const std::uint64_t rounds = std::max<std::uint64_t>(1, (1 << 20) / n);
  std::uint64_t built = 0, erased = 0;
  double building = 0, erasing = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::unique_ptr<Contender> filter = make_form(kind, wanted, form);
    if (!filter) return;
    double spent = 0;
    const std::uint64_t there =
        insert_all(*filter, keys, n, clock, [&](std::uint64_t, double seconds) { spent = seconds; });
    built += there;
    building += spent;
    tell(Figure::build_speed, speed_of(built, building));
    if (filter->can_erase()) {
      erasing += in_blocks(keys, 0, there, clock, [&](const std::vector<std::uint64_t>& block) {
        erased += filter->erase(block);
        return true;
      });
      tell(Figure::erase_speed, speed_of(erased, erasing));
    }
    tell(Figure::progress, 0.65 + 0.35 * static_cast<double>(round + 1) / static_cast<double>(rounds));
  }
}

}  // namespace comparison_detail

/// Builds a filter in `form`, measures it and tells `tell(Figure, value)`; then gives it, full. Null if memory is
/// short. Others like it are emptied, so that this one can be looked into.
template <class Tell>
std::unique_ptr<Contender> compare(Kind kind, const Form& form, const Keys& keys, const Trial& trial, Clock clock,
                                   Tell tell) {
  using namespace comparison_detail;
  std::unique_ptr<Contender> filter = make_form(kind, trial.key_count, form);
  if (!filter) return nullptr;
  tell(Figure::wanted, static_cast<double>(trial.key_count));
  const std::uint64_t n = insert_all(*filter, keys, trial.key_count, clock, [&](std::uint64_t done, double seconds) {
    tell(Figure::inserted, static_cast<double>(done));
    tell(Figure::build_speed, speed_of(done, seconds));
    tell(Figure::progress, 0.35 * static_cast<double>(done) / static_cast<double>(trial.key_count));
  });
  if (n == 0) return nullptr;
  const auto bytes = static_cast<double>(filter->byte_count());
  tell(Figure::bytes, bytes);
  tell(Figure::bits_per_key, 8 * bytes / static_cast<double>(n));
  tell(Figure::expected_rate, filter->expected_rate());
  ask(*filter, keys, n, trial.present_share, clock, tell);
  build_again(kind, form, keys, n, trial.key_count, clock, tell);
  return filter;
}

/// A point of Figure 4, measured: the bits per key of a kind for a rate, and how often it errs. False if it has no form
/// for the rate.
inline bool measure_space(Kind kind, std::uint64_t key_count, double rate, Clock clock, double* bits_per_key,
                          double* measured) {
  const Keys keys;
  const Fit its = fit(kind, key_count, Goal{.rate = rate});
  if (its.refusal != Refusal::none) return false;
  const std::unique_ptr<Contender> filter = make_form(kind, key_count, its.form);
  if (!filter) return false;
  const std::uint64_t n = comparison_detail::insert_all(*filter, keys, key_count, clock, [](std::uint64_t, double) {});
  if (n == 0) return false;
  *bits_per_key = 8 * static_cast<double>(filter->byte_count()) / static_cast<double>(n);
  const std::uint64_t asked = comparison_detail::kMostAsked / 4;
  *measured = static_cast<double>(found_absent(*filter, keys, asked, [](std::uint64_t, std::uint64_t) {})) /
              static_cast<double>(asked);
  return true;
}

/// The share of its slots that a cuckoo hash table takes before the first insert fails, in a table of about
/// `slot_count`.
inline double table_load(std::uint32_t function_count, std::uint32_t bucket_size, Search search,
                         std::uint64_t slot_count, std::uint64_t seed) {
  Result<CuckooHashTable> table = CuckooHashTable::create({.bucket_count = slot_count / bucket_size,
                                                           .function_count = function_count,
                                                           .bucket_size = bucket_size,
                                                           .search = search,
                                                           .max_moves = 2'000,
                                                           .seed = seed});
  if (!table) return 0;
  for (std::uint64_t key = 1; table->insert(key);) ++key;
  return table->load_factor();
}

}  // namespace lab
