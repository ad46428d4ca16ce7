// Rows whose range is known before they are read are read once, to the same model.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "numeric/random.hpp"
#include "regression/engine.hpp"
#include "regression/fit.hpp"
#include "response/responses.hpp"
#include "table/row_stream.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

struct Rows {
  std::vector<double> x, y;
};

Rows curve() {
  RandomStream random(8);
  Rows rows;
  for (int i = 0; i < 70'000; ++i) {
    rows.x.push_back(2 * random.uniform() - 1);
    rows.y.push_back(std::tanh(rows.x.back()) + 0.1 * random.normal());
  }
  return rows;
}

KnownRows range_of(const Rows& rows) {
  const auto [x_lower, x_upper] = std::minmax_element(rows.x.begin(), rows.x.end());
  const auto [y_lower, y_upper] = std::minmax_element(rows.y.begin(), rows.y.end());
  return {rows.x.size(), *x_lower, *x_upper, *y_lower, *y_upper};
}

class Foreseen final : public ForeseenRows {
 public:
  Foreseen(const Rows& rows, const KnownRows& known) : rows_(rows.x, rows.y), known_(known) {}

  RowBlock next() override {
    const RowBlock block = rows_.next();
    read += block.size();
    return block;
  }
  void rewind() override { rows_.rewind(); }
  [[nodiscard]] std::optional<KnownRows> known_rows() const override { return known_; }

  std::size_t read = 0;

 private:
  MemoryRows rows_;
  KnownRows known_;
};

MonotoneRegressionOptions quick() {
  MonotoneRegressionOptions options;
  options.harmonics = 3;
  options.direction = Direction::increasing;
  return options;
}

TEST(ForeseenRows, AreReadOnceToTheSameModel) {
  const Rows rows = curve();
  for (const char* name : {"gaussian", "student"}) {
    MonotoneRegressionOptions options = quick();
    options.response = value_of(response_names(), name);
    Foreseen stream(rows, range_of(rows));
    const auto once = fit_regression(options, named_response(name), stream);
    EXPECT_EQ(stream.read, rows.x.size());
    MemoryRows memory(rows.x, rows.y);
    const auto twice = fit_regression(options, named_response(name), memory);
    EXPECT_EQ(FittedMonotoneRegression(once).to_json(), FittedMonotoneRegression(twice).to_json());
  }
}

TEST(ForeseenRows, ThatAreOthersThanWasSaidAreRefused) {
  const Rows rows = curve();
  for (const int which : {0, 1, 2}) {
    KnownRows known = range_of(rows);
    if (which == 0) ++known.rows;
    if (which == 1) known.x_lower -= 1;
    if (which == 2) known.y_upper = std::nextafter(known.y_upper, 0);
    Foreseen stream(rows, known);
    EXPECT_THROW(fit_regression(quick(), named_response("gaussian"), stream), InputError) << which;
  }
}

}  // namespace
}  // namespace linkgistic
