#include "classification/options.hpp"

#include "engine/make_engine.hpp"
#include "inference/posterior_quality.hpp"
#include "response/proper_loss_response.hpp"

namespace linkgistic {

void LinkgisticOptions::validate() const {
  static_cast<void>(make_response(make_loss(loss)));  // UsageError for what can be no base
  check_ranges(*this);
  static_cast<void>(engine_on(device));
  check_inference(inference, loss);
  if (prior == LinkPrior::none && inference != Inference::laplace) {
    throw UsageError("inference = " + name_of(inference_names(), inference) +
                     ": prior none has no link to infer");
  }
  if (prior == LinkPrior::gp && origin == Origin::shifted) {
    throw UsageError("origin = shifted: the gp prior integrates nothing, so it has no origin to shift");
  }
  if (balanced && !class_weights.empty()) {
    throw UsageError("balanced = true: it cannot be combined with class_weights");
  }
}

}  // namespace linkgistic
