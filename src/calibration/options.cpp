#include "calibration/options.hpp"

#include "inference/posterior_quality.hpp"
#include "response/proper_loss_response.hpp"

namespace linkgistic {

void CalibratorOptions::validate() const {
  static_cast<void>(make_response(make_loss(loss)));  // UsageError for what can be no base
  check_ranges(*this);
  check_inference(inference, loss);
}

void ClassCalibratorOptions::validate() const {
  check_ranges(*this);
  map.validate();
}

}  // namespace linkgistic
