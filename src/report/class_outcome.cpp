#include "report/class_outcome.hpp"

#include <algorithm>
#include <cmath>

#include "report/reliability.hpp"
#include "report/words.hpp"

namespace linkgistic {
namespace {

// The class with the greatest probability in a row.
std::size_t predicted(const ClassOutcomes& o, std::size_t n) {
  const auto row = o.probability.subspan(n * o.classes, o.classes);
  return static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
}

// (C, C): the weight of the rows of each class that were taken for each.
std::vector<double> confusion(const ClassOutcomes& o) {
  std::vector<double> count(o.classes * o.classes);
  for (std::size_t n = 0; n < o.label.size(); ++n)
    count[static_cast<std::size_t>(o.label[n]) * o.classes + predicted(o, n)] +=
        o.weight.empty() ? 1.0 : o.weight[n];
  return count;
}

}  // namespace

Confidence confidence(const ClassOutcomes& o) {
  Confidence result;
  for (std::size_t n = 0; n < o.label.size(); ++n) {
    const std::size_t k = predicted(o, n);
    const double p = o.probability[n * o.classes + k];
    double others = 0;  // 1 - p would lose the digits of what is nearly sure
    for (std::size_t l = 0; l < o.classes; ++l) others += l == k ? 0 : o.probability[n * o.classes + l];
    result.log_odds.push_back(std::log(p) - std::log(std::max(others, 1e-300)));
    result.right.push_back(static_cast<std::size_t>(o.label[n]) == k ? 1 : 0);
  }
  return result;
}

Picture confidence_picture(const ClassOutcomes& o, const std::string& when) {
  const Confidence c = confidence(o);
  return Picture{reliability_figure(reliability(c.log_odds, c.right, o.weight), c.log_odds, o.weight),
                 "Confidence: how often the predicted class was right, against its probability" + when + ".",
                 "Reliability diagram of the probability of the predicted class with its 90 % consistency "
                 "band, and a histogram of it."};
}

PageTable confusion_table(const ClassOutcomes& o, std::span<const std::string> names) {
  const std::vector<double> count = confusion(o);
  if (o.classes <= most_confused) {
    PageTable table{"Rows by their class (down) and the predicted class (across)", {"class"}, {}};
    for (const std::string& name : names) table.head.push_back(name);
    for (std::size_t k = 0; k < o.classes; ++k) {
      TableRow row{names[k], {}};
      for (std::size_t l = 0; l < o.classes; ++l) row.cells.emplace_back(number(count[k * o.classes + l]));
      table.rows.push_back(std::move(row));
    }
    return table;
  }
  std::vector<std::size_t> pairs;
  for (std::size_t i = 0; i < count.size(); ++i)
    if (i / o.classes != i % o.classes && count[i] > 0) pairs.push_back(i);
  std::stable_sort(pairs.begin(), pairs.end(), [&](auto a, auto b) { return count[a] > count[b]; });
  pairs.resize(std::min(pairs.size(), most_confused));
  PageTable table{"Classes that were confused most", {"class", "taken for", "rows"}, {}};
  for (const std::size_t i : pairs)
    table.rows.push_back({names[i / o.classes], {names[i % o.classes], number(count[i])}});
  return table;
}

}  // namespace linkgistic
