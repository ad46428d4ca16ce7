// Linkgistic regression on images, one-vs-rest over all classes: ten-class accuracy, and over classes the
// mean log loss, AUC and binary accuracy on the test rows after every EM step; with passes and times.
//
//   study_classifier --data FOLDER [--rows N] [--l2 L] [--steps S] [--harmonics K] [--samples S]
//                    [--prior logistic,isgp,offset,gp] [--v V] [--threads T]
//
// FOLDER has the four IDX files of MNIST's names.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "classification/em.hpp"
#include "engine/local_engine.hpp"
#include "metrics/classification_metrics.hpp"
#include "rows/idx_reader.hpp"

namespace {

using namespace linkgistic;

struct Arguments {
  std::string folder;
  std::string priors = "logistic,isgp,offset,gp";
  std::size_t rows = 0;
  double l2 = 1;
  EmOptions em;
  LinkHyper hyper;
};

Arguments parse(int argc, char** argv) {
  Arguments a;
  a.l2 = 10;
  a.hyper.harmonics = 32;
  a.em.tolerance = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--data")
      a.folder = value;
    else if (name == "--rows")
      a.rows = std::stoul(value);
    else if (name == "--l2")
      a.l2 = std::stod(value);
    else if (name == "--steps")
      a.em.em_iterations = std::stoi(value);
    else if (name == "--harmonics")
      a.hyper.harmonics = std::stoi(value);
    else if (name == "--samples")
      a.em.samples = std::stoi(value);
    else if (name == "--prior")
      a.priors = value;
    else if (name == "--v")
      a.hyper.v = std::stod(value);
    else if (name == "--threads")
      a.em.threads = std::stoi(value);
    else if (name == "--gradient")
      a.em.gradient_tolerance = std::stod(value);
    else
      std::fprintf(stderr, "unknown: %s\n", argv[i]), std::exit(2);
  }
  return a;
}

struct Images {
  RowView view;
  std::vector<std::int32_t> labels;
};

Images read(const std::string& folder, const std::string& part, std::size_t most) {
  LabelledImages images =
      read_idx(folder + "/" + part + "-images-idx3-ubyte.gz", folder + "/" + part + "-labels-idx1-ubyte.gz");
  if (most > 0 && most < images.rows.rows()) {
    std::vector<std::size_t> first(most);
    std::iota(first.begin(), first.end(), std::size_t{0});
    images.rows = take_rows(images.rows, first);
    images.labels.resize(most);
  }
  const ColumnScale scale = uniform_scale(images.rows.columns(), 1.0 / 255);
  return {{std::move(images.rows), scale}, std::move(images.labels)};
}

void report(const char* name, const EmResult& state, const Images& test, int threads) {
  const std::size_t classes = state.links.size();
  const std::size_t rows = test.labels.size();
  const std::vector<float> margins = row_margins(test.view, classes, state.beta, threads);
  std::vector<double> best(rows, -1e300);
  std::vector<std::size_t> which(rows);
  BinaryMetrics mean{};
  for (std::size_t k = 0; k < classes; ++k) {
    const std::vector<double> m(margins.begin() + static_cast<std::ptrdiff_t>(k * rows),
                                margins.begin() + static_cast<std::ptrdiff_t>((k + 1) * rows));
    const std::vector<double> nu = state.links[k].at(m, threads).nu;
    std::vector<std::uint8_t> y(rows);
    for (std::size_t n = 0; n < rows; ++n) {
      y[n] = test.labels[n] == static_cast<std::int32_t>(k);
      if (nu[n] > best[n]) best[n] = nu[n], which[n] = k;
    }
    const BinaryMetrics one = binary_metrics(nu, y);
    mean.accuracy += one.accuracy / static_cast<double>(classes);
    mean.auc += one.auc / static_cast<double>(classes);
    mean.log_loss += one.log_loss / static_cast<double>(classes);
  }
  double right = 0;
  for (std::size_t n = 0; n < rows; ++n)
    right += static_cast<std::size_t>(test.labels[n]) == which[n] ? 1 : 0;
  const EmRecord& r = state.trace.back();
  std::printf("%-9s %3zu  %.4f %.5f %.5f %.4f  train %.5f objective %.1f  passes %3d  M %6.2f s  E %6.3f s\n",
              name, state.trace.size() - 1, mean.auc, mean.log_loss, mean.accuracy,
              right / static_cast<double>(rows), r.mean_loss, r.objective, r.passes, r.seconds_m,
              r.seconds_e);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments a = parse(argc, argv);
  const Images train = read(a.folder, "train", a.rows);
  const Images test = read(a.folder, "t10k", 0);
  std::vector<std::int32_t> positive(
      static_cast<std::size_t>(*std::max_element(train.labels.begin(), train.labels.end())) + 1);
  std::iota(positive.begin(), positive.end(), 0);
  const auto engine = make_local_engine({train.view.rows, train.labels, {}, {}}, a.em.threads);
  LinkgisticEm em(*engine, train.view.scale, positive, a.em);
  std::printf("prior    step  auc    log loss  binary  ten-class\n");
  const EmResult logistic = em.logistic(a.l2);
  report("logistic", logistic, test, a.em.threads);
  std::istringstream priors(a.priors);
  for (std::string name; std::getline(priors, name, ',');) {
    if (name == "logistic") continue;
    LinkHyper hyper = a.hyper;
    hyper.kind = name == "isgp" ? PriorKind::isgp : name == "gp" ? PriorKind::gp : PriorKind::offset;
    em.run({logistic}, LinkFamily(hyper), a.em.em_iterations,
           [&](const EmResult& state) { report(name.c_str(), state, test, a.em.threads); });
  }
}
