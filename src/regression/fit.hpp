// The search for the fit of a regression in one direction.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inference/learn.hpp"
#include "numeric/progress_monitor.hpp"
#include "regression/data.hpp"
#include "regression/fitted.hpp"
#include "regression/posterior.hpp"

namespace linkgistic {

/// The response that the options name, with their rates of guesses and lapses, of so many trials.
std::shared_ptr<const Response> regression_response(const MonotoneRegressionOptions& options,
                                                    double trials = 1);

/// The hyper-parameters of a regression, the source's and then the response's.
std::vector<HyperParameter> regression_hyper_parameters(const MonotoneRegressionOptions& options,
                                                        const Response& response);

/// That of a fitted regression by its name, if it has one.
std::optional<HyperParameter> regression_hyper_parameter(const FittedMonotoneRegression& fit,
                                                         const std::string& name);

/// The fit of the options to rows with any response. A stop before the first mode is found is Interrupted.
std::shared_ptr<FittedRegressionState> fit_regression(const MonotoneRegressionOptions& options,
                                                      const std::shared_ptr<const Response>& response,
                                                      RowStream& rows);
/// The same by any engine of the rows, with this response.
std::shared_ptr<FittedRegressionState> fit_regression(const MonotoneRegressionOptions& options,
                                                      const std::shared_ptr<const Response>& response,
                                                      RegressionEngine& rows);

class RegressionFit {
 public:
  /// The data and the monitor must outlive the object. A stop before the first mode is found is Interrupted.
  RegressionFit(const MonotoneRegressionOptions& options, std::shared_ptr<const Response> response,
                const RegressionData& data, std::shared_ptr<const SourceFamily> family, bool decreasing,
                ProgressMonitor& monitor);
  /// The same on other data of the same rows, from the hyper-parameters of a fit.
  RegressionFit(const RegressionFit& from, const RegressionData& data);

  [[nodiscard]] const MonotoneRegressionOptions& options() const { return options_; }
  [[nodiscard]] const RegressionData& data() const { return data_; }
  /// nu at t, in the fit's coordinates, without its shift, the hyper-parameters held.
  [[nodiscard]] NormalValues source_at(const std::vector<double>& t) const;
  /// (rows): E (u - nu)^2 of kept rows of a response with units.
  [[nodiscard]] Vector squared_residuals() const;

  /// Log evidence plus log hyper-prior, for y in its own units.
  [[nodiscard]] double objective() const { return fit_.objective() + log_scale(); }
  /// The same with the bound in place of the evidence where there is one.
  [[nodiscard]] double bound() const {
    return variational_ ? variational_->objective() + log_scale() : objective();
  }
  /// Compares log evidence plus log hyper-prior, with the bounds in place of the evidence where both have
  /// one.
  [[nodiscard]] bool better_than(const RegressionFit& other) const {
    if (variational_ && other.variational_)
      return variational_->objective() > other.variational_->objective();
    return fit_.objective() > other.fit_.objective();
  }
  /// The summary's warnings list what a stop has left undone.
  [[nodiscard]] std::shared_ptr<FittedRegressionState> state(const RegressionRange& range) const;

 private:
  [[nodiscard]] LearnOptions learn_options() const;
  void run(bool from_a_fit = false);
  /// Whether the mean of the curve is far from every y.
  [[nodiscard]] bool leaves_the_data(const VariationalBayesFit& fit) const;
  void check_fixed(const HyperParameter& hyper, double value) const;
  [[nodiscard]] RegressionSummary summarise(const RegressionRange& range,
                                            const RegressionPosterior& posterior, bool interrupted) const;
  [[nodiscard]] std::vector<EvidenceProfile> profiles() const;
  [[nodiscard]] double to_user(const HyperParameter& hyper, double theta) const;
  [[nodiscard]] double log_scale() const;  // log p(y) - log p(u)

  MonotoneRegressionOptions options_;
  std::shared_ptr<const Response> response_;
  const RegressionData& data_;
  Scaling scaling_;
  std::shared_ptr<const SourceFamily> family_;
  bool decreasing_;
  ProgressMonitor& monitor_;
  LearnOptions learning_;
  Problem problem_;
  LaplaceFit fit_;
  std::optional<VariationalBayesFit> variational_;
  bool dropped_ = false;  // a variational fit that left the data
};

/// The fit of the options to rows of a response without a direction, its data and their range for as long as
/// it lives.
std::unique_ptr<RegressionFit> learn_rows(const MonotoneRegressionOptions& options,
                                          const std::shared_ptr<const Response>& response, RowStream& rows,
                                          RegressionData& data, RegressionRange& range,
                                          ProgressMonitor& monitor);

}  // namespace linkgistic
