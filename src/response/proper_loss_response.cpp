#include "response/proper_loss_response.hpp"

#include <utility>

#include <linkgistic/error.hpp>

namespace linkgistic {

ProperLossResponse::ProperLossResponse(std::shared_ptr<const ProperLoss> loss)
    : loss_(std::move(loss)), name_(loss_->name()) {
  if (!loss_->maps_onto_reals()) {
    throw UsageError("loss = " + name_ +
                     ": its link is bounded, and a likelihood needs one onto the reals; leave out tail=0");
  }
}

LogDensity ProperLossResponse::at(double y, double nu, const Vector&) const {
  LogDensity sum;
  for (const int label : {0, 1}) {
    const double share = label == 1 ? y : 1 - y;
    if (share == 0) continue;
    const Derivatives3 l = loss_->log_likelihood(label, nu);
    sum.value += share * l.value;
    sum.first += share * l.first;
    sum.second += share * l.second;
    sum.third += share * l.third;
  }
  return sum;
}

std::shared_ptr<const Response> make_response(const std::shared_ptr<const ProperLoss>& loss) {
  if (loss->name() == "log") return std::make_shared<BernoulliResponse>();
  return std::make_shared<ProperLossResponse>(loss);
}

}  // namespace linkgistic
