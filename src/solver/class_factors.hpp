// The factored Hessians of all classes, kept from one solve to the next, and what they cost.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solver/preconditioner.hpp"

namespace linkgistic {

/// What a solver carries from one solve to the next: for every class the rows that its factor was made of.
struct SolverMemory {
  struct Factor {
    HessianSample sample;
    double ridge = 0;
  };
  std::vector<std::optional<Factor>> factors;  ///< (C), empty where there is none yet
};

/// Different classes may be made by different threads.
class ClassFactors {
 public:
  /// The data must outlive this object.
  explicit ClassFactors(const LabelledView& data);

  /// Whether they cost less than the passes they save: L-BFGS over a diagonal takes some hundred more.
  [[nodiscard]] bool pay() const;
  /// Iterations until a Hessian is taken anew: about what a factor costs in passes.
  [[nodiscard]] int refresh_after() const { return refresh_after_; }

  [[nodiscard]] std::size_t size() const { return factors_.size(); }
  [[nodiscard]] bool has(std::size_t k) const { return factors_[k] != nullptr; }
  [[nodiscard]] const Preconditioner& operator[](std::size_t k) const { return *factors_[k]; }

  void clear(std::size_t classes);
  /// Of class k at its margins (N).
  void make(std::size_t k, const PassClass& one_class, std::span<const float> margins, double ridge,
            std::uint64_t seed, int threads);
  /// Of all classes at beta = 0, where they differ by their ridge (C) alone, as far as their losses have the
  /// same curvature there.
  void share_first(const PassClass& one_class, std::span<const double> ridge, int threads);

  [[nodiscard]] const SolverMemory& memory() const { return memory_; }
  void restore(const SolverMemory& memory, int threads);

 private:
  void put(std::size_t k, HessianSample sample, double ridge, int threads);

  LabelledView data_;
  double cost_;  // of one, in passes of one class
  int refresh_after_;
  std::vector<std::shared_ptr<const Preconditioner>> factors_;  // (C)
  SolverMemory memory_;                                         // what they were made of
};

}  // namespace linkgistic
