#include "plot_rows.hpp"

#include <linkgistic/error.hpp>

#include "signals.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t most_rows = 100'000;

void keep_every_other(std::vector<double>& values) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size(); i += 2) values[kept++] = values[i];
  values.resize(kept);
}

}  // namespace

RowsForPlot rows_for_plot(RowStream& rows) {
  RowsForPlot shown;
  std::size_t row = 0, step = 1;
  for (RowBlock block = rows.next(); block.size() > 0; block = rows.next()) {
    if (stop_requested()) throw Interrupted();
    for (std::size_t i = 0; i < block.size(); ++i, ++row) {
      if (row % step != 0) continue;
      if (shown.x.size() == most_rows) {
        keep_every_other(shown.x);
        keep_every_other(shown.y);
        step *= 2;
        if (row % step != 0) continue;
      }
      shown.x.push_back(block.x[i]);
      shown.y.push_back(block.y[i]);
    }
  }
  return shown;
}

}  // namespace linkgistic
