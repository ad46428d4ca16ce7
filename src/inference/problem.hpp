// What inference works on: a source, its rows, and which hyper-parameters are learned from where. A plain
// value: learn.hpp, variational_bayes.hpp and sampling.hpp make posteriors of it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "inference/log_joint.hpp"
#include "inference/starts.hpp"

namespace linkgistic {

/// The data term for given features. Called once when the basis does not move.
using DataFactory = std::function<std::shared_ptr<const DataTerm>(const std::shared_ptr<const Features>&)>;

struct Problem {
  /// The family must outlive the problem. All hyper-parameters are learned, from their starting values.
  Problem(const SourceFamily& family, DataFactory data, SourceRange range);
  /// One source that nothing is learned of.
  Problem(SourceModel source, std::shared_ptr<const DataTerm> data, SourceRange range);

  const SourceFamily* family = nullptr;  // null: one source
  SourceRange range;
  std::vector<HyperParameter> hyper;  // the source's, then the response's
  Vector theta;                       // their coordinates, where a search begins; those held stay there
  std::vector<bool> learned;
  bool hyper_priors = true;  // the weak log priors of the hyper-parameters count

  /// The same from other coordinates, with others learned, with none learned.
  [[nodiscard]] Problem from(Vector start) const;
  [[nodiscard]] Problem learning(std::vector<bool> which) const;
  [[nodiscard]] Problem held() const { return learning(std::vector<bool>(hyper.size(), false)); }

  [[nodiscard]] bool basis_moves() const { return family != nullptr && family->basis_moves(); }
  [[nodiscard]] Index source_hyper() const { return n_source_; }
  /// The places of those that are learned.
  [[nodiscard]] std::vector<Index> learned_places() const;
  [[nodiscard]] SourceModel source_at(const Vector& at) const;
  [[nodiscard]] Vector eta(const Vector& at) const { return at.tail(at.size() - n_source_); }
  [[nodiscard]] std::shared_ptr<const DataTerm> data_for(const SourceModel& source) const;
  /// The weak log priors without their constants.
  [[nodiscard]] double log_hyper_prior(const Vector& at, Vector* gradient) const;

 private:
  std::shared_ptr<const SourceModel> only_;  // where there is no family
  DataFactory data_;
  std::shared_ptr<const DataTerm> fixed_data_;  // when the basis does not move
  Index n_source_ = 0;
};

}  // namespace linkgistic
