// A learned loss by itself behind the verbs that take a model file.
#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>
#include <linkgistic/learned_loss.hpp>

#include "classification/file.hpp"
#include "model.hpp"
#include "output.hpp"
#include "report/figure/render.hpp"
#include "report/learned_loss_figure.hpp"

namespace linkgistic {
namespace {

class LearnedLossModel final : public Model {
 public:
  explicit LearnedLossModel(LearnedLoss loss) : loss_(std::move(loss)) {}

  void predict(PredictOptions /*options*/, const Context& /*context*/) const override { throw no_features(); }
  void evaluate(EvaluateOptions /*options*/, const Context& /*context*/) const override {
    throw no_features();
  }

  void plot(PlotOptions options, const Context& /*context*/) const override {
    if (options.what == "evidence")
      throw UsageError("--what evidence: a learned loss has loss, link, source and weight");
    render(learned_loss_figure(loss_, options.what == "fit" ? "loss" : options.what), options.output);
  }

  [[nodiscard]] std::string show(bool json) const override {
    const nlohmann::ordered_json shown{{"base", loss_.base()},
                                       {"score_lower", loss_.score_lower()},
                                       {"score_upper", loss_.score_upper()},
                                       {"increasing", loss_.increasing()},
                                       {"lipschitz_bound", loss_.lipschitz_bound()},
                                       {"margin_lipschitz_bound", loss_.margin_lipschitz_bound()}};
    if (json) return shown.dump(1) + "\n";
    return "Learned loss\n  base                " + loss_.base() + "\n  scores              " +
           rounded(loss_.score_lower()) + " to " + rounded(loss_.score_upper()) + ", straight beyond\n" +
           "  slope at most       " + rounded(loss_.lipschitz_bound()) + "\n" +
           "  margin loss         slope in the probability at most " +
           rounded(loss_.margin_lipschitz_bound()) + "\n";
  }

 private:
  static UsageError no_features() {
    return UsageError("a learned loss has no features to predict from: plot and show say what it is");
  }

  LearnedLoss loss_;
};

}  // namespace

std::unique_ptr<Model> load_learned_loss(const ModelFile& file) {
  return std::make_unique<LearnedLossModel>(learned_loss_from(file));
}

}  // namespace linkgistic
