// The measurements of the paper's evaluation, on small tables.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "lab/evaluation.h"

namespace lab {
namespace {

double no_clock() { return 0; }

TEST(LabEvaluation, TellsEachFigureAndTheRowOfAFilter) {
  class Heard : public Listener {
   public:
    void hear(const Point& point) override { ++points[point.figure]; }
    void hear(const Row& row) override { rows.push_back(row); }
    void hear_fault(const char* what) override { ADD_FAILURE() << what; }
    std::map<int, int> points;
    std::vector<Row> rows;
  };
  for (const Kind kind : {Kind::cuckoo, Kind::bloom, Kind::binary_fuse}) {
    const char* const name = kNames[static_cast<std::size_t>(kind)];
    Heard heard;
    EXPECT_TRUE(evaluate(kind, 10, 1, no_clock, heard)) << name;
    ASSERT_EQ(heard.rows.size(), 1u) << name;
    EXPECT_NEAR(heard.rows[0].rate, heard.rows[0].expected, 0.3 * heard.rows[0].expected) << name;
    EXPECT_EQ(heard.points[5], 5) << name;
    EXPECT_EQ(heard.points[6], 2 * heard.points[7]) << name;
    EXPECT_EQ(heard.points[8], kind == Kind::cuckoo ? 20 : 0) << name;
  }
}

}  // namespace
}  // namespace lab
