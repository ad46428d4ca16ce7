#include "inference/problem.hpp"

#include <stdexcept>
#include <utility>

namespace linkgistic {

Problem::Problem(const SourceFamily& of, DataFactory data, SourceRange over)
    : family(&of),
      range(over),
      hyper(of.hyper_parameters()),
      data_(std::move(data)),
      n_source_(static_cast<Index>(hyper.size())) {
  const auto term = data_(of.at(start_theta(hyper)).features);
  if (!of.basis_moves()) fixed_data_ = term;
  for (auto& h : term->hyper_parameters()) hyper.push_back(std::move(h));
  theta = start_theta(hyper);
  for (const HyperParameter& h : hyper) learned.push_back(h.used);
}

Problem::Problem(SourceModel source, std::shared_ptr<const DataTerm> data, SourceRange over)
    : range(over),
      hyper(data->hyper_parameters()),
      theta(start_theta(hyper)),
      learned(hyper.size(), true),
      only_(std::make_shared<const SourceModel>(std::move(source))),
      fixed_data_(std::move(data)) {}

Problem Problem::from(Vector start) const {
  Problem result = *this;
  result.theta = std::move(start);
  return result;
}

Problem Problem::learning(std::vector<bool> which) const {
  Problem result = *this;
  result.learned = std::move(which);
  return result;
}

std::vector<Index> Problem::learned_places() const {
  std::vector<Index> which;
  for (std::size_t i = 0; i < learned.size(); ++i) {
    if (learned[i]) which.push_back(static_cast<Index>(i));
  }
  return which;
}

SourceModel Problem::source_at(const Vector& at) const {
  return family != nullptr ? family->at(at.head(n_source_)) : *only_;
}

std::shared_ptr<const DataTerm> Problem::data_for(const SourceModel& source) const {
  return fixed_data_ ? fixed_data_ : data_(source.features);
}

double Problem::log_hyper_prior(const Vector& at, Vector* gradient) const {
  if (at.size() != static_cast<Index>(hyper.size()))
    throw std::logic_error("a problem and its coordinates have different hyper-parameters");
  if (gradient != nullptr) *gradient = Vector::Zero(at.size());
  if (!hyper_priors) return 0;
  double sum = 0;
  for (Index i = 0; i < at.size(); ++i) {
    const auto& h = hyper[static_cast<std::size_t>(i)];
    const double z = (at[i] - h.prior_mean) / h.prior_sd;
    sum -= z * z / 2;
    if (gradient != nullptr) (*gradient)[i] = -z / h.prior_sd;
  }
  return sum;
}

}  // namespace linkgistic
