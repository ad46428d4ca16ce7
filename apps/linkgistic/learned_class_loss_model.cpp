// A learned loss of many classes by itself behind the verbs that take a model file.
#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>
#include <linkgistic/learned_class_loss.hpp>

#include "classification/file.hpp"
#include "model.hpp"
#include "output.hpp"
#include "report/class_loss_figure.hpp"
#include "report/figure/render.hpp"

namespace linkgistic {
namespace {

class LearnedClassLossModel final : public Model {
 public:
  explicit LearnedClassLossModel(LearnedClassLoss loss) : loss_(std::move(loss)) {}

  void predict(PredictOptions /*options*/, const Context& /*context*/) const override { throw no_rows(); }
  void evaluate(EvaluateOptions /*options*/, const Context& /*context*/) const override { throw no_rows(); }

  void plot(PlotOptions options, const Context& /*context*/) const override {
    render(class_loss_figure(loss_, options.what == "fit" ? "link" : options.what), options.output);
  }

  [[nodiscard]] std::string show(bool json) const override {
    nlohmann::ordered_json shown{{"base", "log"}, {"classes", nlohmann::ordered_json::array()}};
    std::string text = "Learned loss of a softmax\n";
    for (std::size_t k = 0; k < loss_.class_names().size(); ++k) {
      const double lower = loss_.score_lower(k);
      const double upper = loss_.score_upper(k);
      shown["classes"].push_back(
          {{"name", loss_.class_names()[k]}, {"score_lower", lower}, {"score_upper", upper}});
      text += "  " + loss_.class_names()[k] + ": scores " + rounded(lower) + " to " + rounded(upper) +
              ", straight beyond\n";
    }
    return json ? shown.dump(1) + "\n" : text;
  }

 private:
  static UsageError no_rows() {
    return UsageError("a learned loss has no features to predict from: plot and show say what it is");
  }

  LearnedClassLoss loss_;
};

}  // namespace

std::unique_ptr<Model> load_learned_class_loss(const ModelFile& file) {
  return std::make_unique<LearnedClassLossModel>(learned_class_loss_from(file));
}

}  // namespace linkgistic
