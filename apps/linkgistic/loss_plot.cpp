#include "loss_plot.hpp"

#include <linkgistic/error.hpp>
#include <linkgistic/learned_loss.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "model/model_file.hpp"
#include "report/gnuplot.hpp"
#include "report/learned_loss_figure.hpp"
#include "signals.hpp"

namespace linkgistic {
namespace {

std::size_t score_of(const FittedLinkgisticClassifier& fit, const std::string& class_name) {
  const auto& classes = fit.summary().classes;
  if (class_name.empty()) return 0;
  std::string known;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    if (classes[k].name == class_name) return k;
    known += (known.empty() ? "" : ", ") + classes[k].name;
  }
  throw UsageError("--class " + class_name + ": the model has scores for " + known);
}

Figure classifier_figure(const FittedLinkgisticClassifier& fit, const std::string& what,
                         const std::string& class_name) {
  const std::size_t score = score_of(fit, class_name);
  const LearnedLoss loss = fit.learned_loss(score);
  SourceBand band{scores_to_draw(loss), {}, {}};
  const auto curve = fit.link(score, band.score);
  band.lower = curve.lower;
  band.upper = curve.upper;
  if (band.lower == band.upper) band = {};  // the identity has no band
  return learned_loss_figure(loss, what, band, "score", "label 1: " + fit.summary().classes[score].name);
}

}  // namespace

void plot_loss(const std::string& model, const std::string& what, const std::string& class_name,
               const std::string& output) {
  const std::string origin = model == "-" ? "stdin" : model;
  const std::string text = [&] {
    const EndAtOnce while_reading_a_pipe;
    return read_model_text(model);
  }();
  const std::string kind = model_kind(text, origin);
  if (kind == "linkgistic classifier")
    return render(classifier_figure(FittedLinkgisticClassifier::from_json(text, origin), what, class_name),
                  output);
  if (kind != "learned loss")
    throw InputError(origin + ": a model of kind '" + kind + "' has no learned loss to draw as " + what);
  render(learned_loss_figure(LearnedLoss::from_json(text, origin), what), output);
}

}  // namespace linkgistic
