// Linkgistic as the paper prints it: EM from logistic regression with a Laplace E-step at fixed
// hyper-parameters, S draws of the link in the M-step, no ridge, links from the training scores themselves,
// and predictions in the mean over the posterior of the link.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

namespace linkgistic::repro {

struct PrintedLinkgisticOptions {
  LinkPrior prior = LinkPrior::isgp;  // isgp or gp
  int harmonics = 32;                 // K; the paper's M = 64
  double a = 1.2, gamma = 0.01, mu = 0;
  double size = 1;                 // k(0,0), which b follows from
  int samples = 32;                // S; not printed
  int em_iterations = 10;          // at most; not printed
  double tolerance = 1e-4;         // relative, of the objective; not printed
  double curvature_floor = 1e-12;  // of the whitened curvature: next to none
  double l2 = 0;
  int threads = 0;
  std::function<bool()> stop;
};

struct PrintedLinkgistic {
  std::vector<double> log_odds;  // (test rows, scores): of the mean probability
  std::vector<double> of_mode;   // the same at the mode of the links
  int steps = 0;                 // of EM
  std::string stop;              // of the whole
  double least_eigenvalue = 1;   // of the links' whitened Hessians
  double largest_deviation = 0;  // of nu on the training scores, over links and places
};

PrintedLinkgistic fit_printed(const ClassificationData& train, const FeatureRows& test,
                              const PrintedLinkgisticOptions& options);

}  // namespace linkgistic::repro
