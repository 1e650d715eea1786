#include "cuckoo/detail/concurrent/writers_lock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "told_machine.h"

namespace cuckoo {
namespace {

using testing::told;
using Lock = detail::WritersLock<testing::ToldMachine>;
using WritersLock = testing::ToldTest;

TEST_F(WritersLock, IsOfOneThreadAtATime) {
  std::uint64_t word = 0;
  {
    Lock first(word);
    EXPECT_TRUE(first.is_held() && Lock::is_taken(word));
    told.thread = 2;
    Lock second(word);
    EXPECT_FALSE(second.is_held());
    EXPECT_FALSE(second.release());
    EXPECT_TRUE(Lock::is_taken(word));
    EXPECT_TRUE(first.release());
    EXPECT_FALSE(Lock::is_taken(word) || first.is_held());
    EXPECT_FALSE(first.release());
    Lock third(word);
    EXPECT_TRUE(third.is_held());
  }
  EXPECT_FALSE(Lock::is_taken(word));
}

TEST_F(WritersLock, IsTakenOverFromAThreadThatIsGone) {
  std::uint64_t word = 0;
  Lock first(word);
  told.thread = 2;
  told.waited = Waited::take_over;
  Lock second(word);
  EXPECT_TRUE(second.is_held());
  const std::uint64_t held = word;
  first.renew();
  EXPECT_EQ(word, held) << "a renewal takes nothing back";
  EXPECT_FALSE(first.release());
  EXPECT_EQ(word, held);
  second.renew();
  EXPECT_NE(word, held);
  EXPECT_TRUE(second.release());
}

TEST_F(WritersLock, HasAnotherWordEachTime) {
  std::uint64_t word = 0;
  std::vector<std::uint64_t> words;
  for (std::uint32_t i = 0; i < 300; ++i) {
    Lock lock(word);
    words.push_back(word);
    lock.renew();
    words.push_back(word);
  }
  EXPECT_TRUE(std::is_sorted(words.begin(), words.end()));
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
  EXPECT_EQ(words.back() >> 1, words.size()) << "by one";
}

TEST_F(WritersLock, IsTakenOverOnceItsWordStoodStillFor200MillisecondsOfWatching) {
  Silence silence;
  const std::uint64_t word = 0, other = 0;
  double now = 1000;
  const auto looks = [&](const std::uint64_t& at, std::uint64_t seen, double gap) {
    int count = 0;
    do {
      now += gap;
      ++count;
    } while (!silence.lasts(at, seen, now));
    return count;
  };
  EXPECT_EQ(looks(word, 5, 1), 201) << "the first look finds another word";
  EXPECT_EQ(looks(word, 6, 4), 51) << "the word has changed, so its owner lives";
  EXPECT_EQ(looks(other, 6, 0.5), 401) << "a lock of another filter";
}

// A pause of the whole process is no silence of the owner: it could not move either.
TEST_F(WritersLock, IsNotTakenOverBecauseTheProcessWasPaused) {
  Silence silence;
  const std::uint64_t word = 0;
  double now = 0;
  for (int pause = 0; pause < 20; ++pause) {
    EXPECT_FALSE(silence.lasts(word, 7, now)) << pause;
    EXPECT_FALSE(silence.lasts(word, 7, now += 1)) << pause;
    now += 10'000;
  }
}

TEST_F(WritersLock, IsWaitedForByYieldingUntilTheOwnerIsSilent) {
  NativeMachine::Patience patience;
  const std::uint64_t word = 0;
  const auto began = std::chrono::steady_clock::now();
  std::uint64_t turns = 1;
  while (patience(word, 5) == Waited::again) ++turns;
  EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(200));
  EXPECT_EQ(turns % 64, 0u);
}

}  // namespace
}  // namespace cuckoo
