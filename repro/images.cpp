#include "repro/images.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "io/data_sets.hpp"
#include "numeric/logistic.hpp"
#include "numeric/random.hpp"
#include "rows/idx_reader.hpp"

namespace linkgistic::repro {
namespace {

ClassificationData read_part(const std::string& folder, const std::string& part) {
  LabelledImages images =
      read_idx(folder + "/" + part + "-images-idx3-ubyte.gz", folder + "/" + part + "-labels-idx1-ubyte.gz");
  ClassificationData data;
  data.rows = FeatureRows(std::move(images.rows));
  data.labels = std::move(images.labels);
  for (int k = 0; k < 10; ++k) data.class_names.push_back(std::to_string(k));
  return data;
}

std::vector<std::size_t> shuffled(std::size_t rows, std::uint64_t seed) {
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream random(seed, 77);
  for (std::size_t i = rows; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

}  // namespace

ClassificationData take(const ClassificationData& data, const std::vector<std::size_t>& which) {
  ClassificationData result;
  result.rows = FeatureRows(take_rows(data.rows.matrix(), which));
  for (const std::size_t i : which) result.labels.push_back(data.labels[i]);
  result.class_names = data.class_names;
  return result;
}

ImageSet read_images(const std::string& folder, const std::string& name) {
  const DataSet& set = data_set(name);
  ImageSet result;
  result.name = name;
  result.title = name == "mnist" ? "MNIST" : name == "fmnist" ? "Fashion-MNIST" : "KMNIST";
  const std::string place = (std::filesystem::path(folder) / name).string();
  result.test = read_part(place, "t10k");
  const bool train_there = is_present(folder, set, set.files[0]) && is_present(folder, set, set.files[1]);
  if (train_there) {
    result.train = read_part(place, "train");
    return result;
  }
  std::vector<std::size_t> order = shuffled(result.test.labels.size(), 0);
  const std::vector<std::size_t> first(order.begin(), order.begin() + 8000),
      rest(order.begin() + 8000, order.end());
  result.train = take(result.test, first);
  result.test = take(result.test, rest);
  result.note = "The training images of " + result.title +
                " are not there; its test part was cut into 8,000 rows to train and " +
                std::to_string(rest.size()) +
                " to test. These numbers are not those of the whole set, so the part is called KMNIST-8k.";
  result.title += "-8k";
  return result;
}

ClassificationData sample_rows(const ClassificationData& data, std::size_t rows, std::uint64_t seed) {
  if (rows >= data.labels.size()) return data;
  std::vector<std::size_t> order = shuffled(data.labels.size(), seed);
  order.resize(rows);
  return take(data, order);
}

ClassificationData binary_task(const ClassificationData& data, const std::vector<std::int32_t>& positive) {
  ClassificationData result = data;
  result.class_names = {"no", "yes"};
  for (std::int32_t& label : result.labels)
    label = std::find(positive.begin(), positive.end(), label) != positive.end() ? 1 : 0;
  return result;
}

ClassScores class_scores(const std::vector<double>& log_odds, const ClassificationData& test) {
  const std::size_t rows = test.labels.size();
  const std::size_t scores = log_odds.size() / rows;
  std::vector<BinaryMetrics> each;
  for (std::size_t k = 0; k < scores; ++k) {
    std::vector<double> one(rows);
    std::vector<std::uint8_t> y(rows);
    for (std::size_t n = 0; n < rows; ++n) {
      one[n] = log_odds[n * scores + k];
      y[n] = test.labels[n] == static_cast<std::int32_t>(scores == 1 ? 1 : k) ? 1 : 0;
    }
    each.push_back(binary_metrics(one, y));
  }
  ClassScores result{mean_metrics(each), 0, {}, std::vector<double>(rows)};
  for (std::size_t n = 0; n < rows; ++n) {
    const double* row = log_odds.data() + n * scores;
    for (std::size_t k = 0; k < scores; ++k) {
      const bool positive = test.labels[n] == static_cast<std::int32_t>(scores == 1 ? 1 : k);
      result.row_loss[n] += softplus(positive ? -row[k] : row[k]) / static_cast<double>(scores);
    }
    if (scores == 1) continue;
    result.right.push_back(std::max_element(row, row + scores) - row == test.labels[n] ? 1 : 0);
  }
  result.class_accuracy = mean_error(result.right).mean;
  return result;
}

Auc auc_of(const std::vector<double>& log_odds, const ClassificationData& test) {
  const std::size_t rows = test.labels.size();
  const std::size_t scores = log_odds.size() / rows;
  std::vector<Auc> each;
  for (std::size_t k = 0; k < scores; ++k) {
    std::vector<double> one(rows);
    std::vector<std::uint8_t> y(rows);
    for (std::size_t n = 0; n < rows; ++n) {
      one[n] = log_odds[n * scores + k];
      y[n] = test.labels[n] == static_cast<std::int32_t>(scores == 1 ? 1 : k) ? 1 : 0;
    }
    each.push_back(delong(one, y));
  }
  return mean_auc(each);
}

LinkgisticOptions our_options(LinkPrior prior, std::optional<double> l2, const Settings& settings) {
  LinkgisticOptions options;
  options.prior = prior;
  options.multiclass = Multiclass::ovr;  // as in the paper
  options.l2 = l2;
  if (prior == LinkPrior::offset) options.v = 0.05;
  if (settings.quick) options.em_iterations = 1;
  options.threads = settings.threads;
  options.stop = settings.stop;
  return options;
}

FittedLinkgisticClassifier fit_linkgistic(const ClassificationData& train, LinkPrior prior,
                                          std::optional<double> l2, const Settings& settings) {
  auto fit = LinkgisticClassifier(our_options(prior, l2, settings)).fit(train);
  settings.poll_stop();
  return fit;
}

PrintedLinkgisticOptions printed_options(LinkPrior prior, double size, const Settings& settings) {
  PrintedLinkgisticOptions options;
  options.prior = prior;
  options.size = size;
  if (settings.quick) {
    options.harmonics = 12;
    options.samples = 8;
    options.em_iterations = 3;
  }
  options.threads = settings.threads;
  options.stop = settings.stop;
  return options;
}

}  // namespace linkgistic::repro
