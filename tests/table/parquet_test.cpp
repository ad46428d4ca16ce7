// Parquet files are known by their first bytes; a build without libparquet says how to get it.
#include <gtest/gtest.h>

#include "table/files.hpp"
#include "table/table.hpp"

namespace linkgistic {
namespace {

TEST(Parquet, IsKnownByItsFirstBytes) {
  const std::string message = input_error([] { open_table(memory_source("rows", "PAR1 and no more")); });
#ifdef LINKGISTIC_HAS_PARQUET
  EXPECT_PRED_FORMAT2(::testing::IsSubstring, "rows: ", message);
#else
  EXPECT_PRED_FORMAT2(::testing::IsSubstring, "rows: is a Parquet file", message);
  EXPECT_PRED_FORMAT2(::testing::IsSubstring, "-DLINKGISTIC_WITH_PARQUET=ON", message);
#endif
}

}  // namespace
}  // namespace linkgistic
