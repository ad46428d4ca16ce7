// Gradient boosting on a learned loss. A booster of regression stumps takes any loss as a plain callback of
// score and label. It is trained on the log loss, and on the loss that Linkgistic regression learned from the
// same rows; the data have an asymmetric link, which additive scores under the logistic link cannot follow.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

#include <linkgistic/learned_loss.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

namespace {

constexpr std::size_t columns = 6;

struct Rows {
  std::vector<double> x;  // (N, columns)
  std::vector<std::uint8_t> y;
};

// P(1) = sigmoid(nu(s)), s linear in x; nu has slope 2.5 left of 0 and 0.3 right of it.
Rows make_rows(std::size_t n, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const double beta[columns] = {1.0, -0.8, 0.6, 0.5, -0.4, 0.3};
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    double s = 0.3;
    for (const double b : beta) {
      rows.x.push_back(normal(generator));
      s += b * rows.x.back();
    }
    const double nu = s < 0 ? 2.5 * s : 0.3 * s;
    rows.y.push_back(uniform(generator) < 1 / (1 + std::exp(-nu)) ? 1 : 0);
  }
  return rows;
}

// What a booster needs to know of a loss at one row.
struct Derivatives {
  double gradient, curvature;
};
using Loss = std::function<Derivatives(int label, double score)>;

struct Stump {
  std::size_t column = 0;
  double cut = 0, left = 0, right = 0;
  [[nodiscard]] double operator()(const double* x) const { return x[column] <= cut ? left : right; }
};

// Newton boosting (Friedman 2001; Chen & Guestrin 2016): each stump minimises the quadratic model of the
// loss.
class Booster {
 public:
  Booster(const Rows& rows, const Loss& loss, int rounds, double rate, double start) : start_(start) {
    const std::size_t n = rows.y.size();
    std::vector<double> score(n, start), gradient(n), curvature(n);
    std::vector<std::vector<std::size_t>> order(columns, std::vector<std::size_t>(n));
    for (std::size_t j = 0; j < columns; ++j) {
      std::iota(order[j].begin(), order[j].end(), std::size_t{0});
      std::sort(order[j].begin(), order[j].end(), [&](std::size_t a, std::size_t b) {
        return rows.x[a * columns + j] < rows.x[b * columns + j];
      });
    }
    for (int round = 0; round < rounds; ++round) {
      double total_g = 0, total_h = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const Derivatives d = loss(rows.y[i], score[i]);
        total_g += gradient[i] = d.gradient;
        total_h += curvature[i] = d.curvature;
      }
      Stump best;
      double best_gain = -1;
      for (std::size_t j = 0; j < columns; ++j) {
        double g = 0, h = 0;
        for (std::size_t k = 0; k + 1 < n; ++k) {
          const std::size_t i = order[j][k];
          g += gradient[i];
          h += curvature[i];
          const double other_g = total_g - g, other_h = total_h - h;
          const double gain = g * g / (h + 1) + other_g * other_g / (other_h + 1);
          if (gain <= best_gain) continue;
          best_gain = gain;
          const double cut = (rows.x[i * columns + j] + rows.x[order[j][k + 1] * columns + j]) / 2;
          best = {j, cut, -rate * g / (h + 1), -rate * other_g / (other_h + 1)};
        }
      }
      for (std::size_t i = 0; i < n; ++i) score[i] += best(&rows.x[i * columns]);
      stumps_.push_back(best);
    }
  }

  [[nodiscard]] double score(const double* x) const {
    double s = start_;
    for (const Stump& stump : stumps_) s += stump(x);
    return s;
  }

 private:
  double start_;
  std::vector<Stump> stumps_;
};

// Mean log loss of the probabilities that a loss gives to the scores.
double log_loss(const Booster& booster, const linkgistic::LearnedLoss& loss, const Rows& rows) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    const double t = loss.log_odds(booster.score(&rows.x[i * columns]));
    sum += std::log1p(std::exp(-std::abs(t))) + std::max(rows.y[i] == 1 ? -t : t, 0.0);
  }
  return sum / static_cast<double>(rows.y.size());
}

}  // namespace

int main() {
  using namespace linkgistic;
  const Rows train = make_rows(4000, 1);
  const Rows test = make_rows(20000, 2);

  ClassificationData data;
  data.rows = FeatureRows::dense(train.x, train.y.size(), columns);
  data.labels.assign(train.y.begin(), train.y.end());
  data.class_names = {"0", "1"};
  LinkgisticOptions options;
  options.l2 = 1;
  const LearnedLoss learned = LinkgisticClassifier(options).fit(data).learned_loss();
  const LearnedLoss logistic = LearnedLoss::canonical("log");

  std::printf("test log loss after   50 stumps  100 stumps  200 stumps\n");
  double last[2] = {0, 0};
  for (const auto& [name, loss, index] :
       {std::tuple("log loss", &logistic, 0), std::tuple("learned loss", &learned, 1)}) {
    std::printf("%-20s", name);
    for (const int rounds : {50, 100, 200}) {
      // The callback: any learner that asks for gradient and curvature can take it. Fisher's information in
      // place of the curvature is never negative.
      const LearnedLoss& l = *loss;
      const Booster booster(
          train,
          [&l](int y, double s) {
            return Derivatives{l.at(y, s).gradient, l.information(s)};
          },
          rounds, 0.1, l.link(0.5));
      last[index] = log_loss(booster, l, test);
      std::printf("  %10.4f", last[index]);
    }
    std::printf("\n");
  }
  const bool better = last[1] < last[0];
  std::printf("the learned loss is %s by %.2f %%\n", better ? "better" : "worse",
              100 * std::abs(1 - last[1] / last[0]));
  return better ? 0 : 1;
}
