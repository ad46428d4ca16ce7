// The statements of the paper: each check holds, and each fails for its planted counter-example.
#include "repro/statements.hpp"

#include <map>

#include <gtest/gtest.h>

namespace linkgistic::repro {
namespace {

Settings quick() {
  Settings settings;
  settings.quick = true;
  settings.threads = 2;
  return settings;
}

TEST(Statements, HoldAndFailForTheirPlantedCounterExamples) {
  std::map<std::string, int> count;
  const auto check = [&](const std::vector<Statement>& some) {
    for (const Statement& s : some) {
      EXPECT_TRUE(s.holds()) << s.key << ": " << s.value << " > " << s.bound;
      EXPECT_TRUE(s.sees_planted()) << s.key << ": " << s.planted_value << " <= " << s.bound;
      EXPECT_EQ(++count[s.key], 1);
    }
  };
  check(loss_statements());
  check(prior_statements(quick()));
  check(kernel_statements());
  check(posterior_statements(quick()));
  check(universality(quick()).statements);
  EXPECT_EQ(count.size(), 28U);
}

TEST(Statements, OfThePageSayWhatIsPrintedWrong) {
  const Result page = statements(quick());
  EXPECT_EQ(page.claims.size(), 28U);
  int corrected = 0;
  for (const Claim& claim : page.claims) {
    EXPECT_NE(claim.finding, Finding::untold);
    corrected += claim.finding == Finding::differs ? 1 : 0;
  }
  EXPECT_EQ(corrected, 12);
}

TEST(Universality, BringsSmoothLinksNearerWithMoreHarmonicsButNotTheirSlopesAcrossAZero) {
  const Universality found = universality(quick());
  // Cells: domain, f, then distance and slope for each K.
  const auto value = [](const TableRow& row, std::size_t i) { return std::get<Measure>(row.cells[i]).value; };
  for (const TableRow& row : found.table.rows) {
    const bool whole = std::get<std::string>(row.cells[0]) == "whole period";
    const bool constant = std::get<std::string>(row.cells[1]) == "with a constant";
    EXPECT_LT(value(row, 4), value(row, 2)) << row.name;
    if (row.name == "step-like") continue;
    if (!whole) {
      EXPECT_LT(value(row, 5), 0.01) << row.name;
    }
    if (whole && !constant) {
      EXPECT_GT(value(row, 5), 0.9) << row.name;
    }
  }
}

}  // namespace
}  // namespace linkgistic::repro
