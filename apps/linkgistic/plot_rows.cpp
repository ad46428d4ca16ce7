#include "plot_rows.hpp"

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

constexpr std::size_t most_rows = 100'000;

void keep_every_other(std::vector<double>& values) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size(); i += 2) values[kept++] = values[i];
  values.resize(kept);
}

}  // namespace

void RowSampler::add(const RowBlock& block) {
  for (std::size_t i = 0; i < block.size(); ++i, ++row_) {
    if (row_ % step_ != 0) continue;
    if (shown_.x.size() == most_rows) {
      keep_every_other(shown_.x);
      keep_every_other(shown_.y);
      step_ *= 2;
      if (row_ % step_ != 0) continue;
    }
    shown_.x.push_back(block.x[i]);
    const double size =
        (block.exposure.empty() ? 1 : block.exposure[i]) * (block.trials.empty() ? 1 : block.trials[i]);
    shown_.y.push_back(block.y[i] / size);
  }
}

RowsForPlot rows_for_plot(RowStream& rows) {
  RowSampler shown;
  for (RowBlock block = rows.next(); block.size() > 0; block = rows.next()) {
    shown.add(block);
  }
  return std::move(shown).rows();
}

}  // namespace linkgistic
