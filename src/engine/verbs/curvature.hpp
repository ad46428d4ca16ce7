// curvature: the sum over rows of c_n = w_n max(l''(m_n), 0), for every direction of every set.
#pragma once

#include "engine/verbs/row_loss.hpp"

namespace linkgistic {

struct CurvatureAnswer {
  std::vector<double> sum;  // (sets, directions)

  auto fields() { return std::tie(sum); }
};

struct CurvatureRequest : ScoreRequest {
  using Answer = CurvatureAnswer;
};

inline CurvatureAnswer empty_answer(const CurvatureRequest& r) {
  return {std::vector<double>(r.sets() * r.directions())};
}

/// Adds rows one after the other; the request must outlive it.
class CurvatureAdder {
 public:
  explicit CurvatureAdder(const CurvatureRequest& request) : request_(request), loss_(request) {}

  void operator()(const ScoredRow& row, CurvatureAnswer& to) {
    for (std::size_t s = 0; s < request_.sets(); ++s) {
      if (!loss_.takes(s, row)) continue;
      const auto c = loss_.curvatures(s, row.label, loss_.scores(s, row));
      for (std::size_t k = 0; k < c.size(); ++k) to.sum[s * c.size() + k] += row.weight * c[k];
    }
  }

 private:
  const CurvatureRequest& request_;
  RowLoss loss_;
};
inline CurvatureAdder row_adder(const CurvatureRequest& r) { return CurvatureAdder(r); }

}  // namespace linkgistic
