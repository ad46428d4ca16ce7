// A fitted classifier as JSON: what it takes to predict, and what was learned. No timings, so that the same
// data, options and seed give the same bytes.
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>

#include "classification/fitted.hpp"
#include "classification/names.hpp"
#include "io/atomic_file.hpp"
#include "model_file/encoding_file.hpp"
#include "model_file/json_values.hpp"
#include "model_file/model_file.hpp"
#include "model_file/posterior_file.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

constexpr const char* classifier_kind = "linkgistic classifier";

json optional_to_json(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }

std::optional<double> optional_from_json(const json& j) {
  return j.is_null() ? std::nullopt : std::optional(j.get<double>());
}

}  // namespace

json options_to_json(const LinkgisticOptions& o) {
  return {{"prior", name_of(link_prior_names(), o.prior)},
          {"loss", o.loss},
          {"l2", optional_to_json(o.l2)},
          {"v", optional_to_json(o.v)},
          {"em_iterations", o.em_iterations},
          {"tolerance", o.tolerance},
          {"samples", o.samples},
          {"harmonics", o.harmonics},
          {"learn_hyper", o.learn_hyper},
          {"cross_fit", o.cross_fit ? json(*o.cross_fit) : json(nullptr)},
          {"cv", o.cv},
          {"standardize", name_of(standardize_names(), o.standardize)},
          {"class_weights", o.class_weights},
          {"balanced", o.balanced},
          {"inference", name_of(inference_names(), o.inference)},
          {"draws", o.draws},
          {"seed", o.seed}};
}

namespace {

LinkgisticOptions options_from_json(const json& j) {
  LinkgisticOptions o;
  o.prior = value_of(link_prior_names(), j.at("prior").get<std::string>());
  o.loss = j.value("loss", "log");
  o.l2 = optional_from_json(j.at("l2"));
  o.v = optional_from_json(j.at("v"));
  o.em_iterations = j.at("em_iterations").get<int>();
  o.tolerance = j.at("tolerance").get<double>();
  o.samples = j.at("samples").get<int>();
  o.harmonics = j.at("harmonics").get<int>();
  o.learn_hyper = j.at("learn_hyper").get<bool>();
  if (!j.at("cross_fit").is_null()) o.cross_fit = j.at("cross_fit").get<bool>();
  o.cv = j.value("cv", o.cv);
  o.standardize = value_of(standardize_names(), j.at("standardize").get<std::string>());
  o.class_weights = j.at("class_weights").get<std::map<std::string, double>>();
  o.balanced = j.at("balanced").get<bool>();
  o.inference = value_of(inference_names(), j.value("inference", "laplace"));
  o.draws = j.value("draws", o.draws);
  o.seed = j.at("seed").get<std::uint64_t>();
  check_options(o);
  return o;
}

json summary_to_json(const ClassifierSummary& s) {
  json classes = json::array();
  for (const ClassSummary& c : s.classes) {
    classes.push_back({{"name", c.name},
                       {"weight", c.weight},
                       {"log_evidence", c.log_evidence},
                       {"smallest_eigenvalue", c.smallest_eigenvalue},
                       {"slope", c.slope},
                       {"score_lower", c.score_lower},
                       {"score_upper", c.score_upper},
                       {"solver_stop", c.solver_stop},
                       {"gradient_ratio", c.gradient_ratio}});
  }
  json trace = json::array();
  for (const EmStep& e : s.trace) {
    trace.push_back(
        {{"step", e.step}, {"objective", e.objective}, {"mean_loss", e.mean_loss}, {"passes", e.passes}});
  }
  return {{"rows", s.rows},
          {"columns", s.columns},
          {"l2", s.l2},
          {"l2_chosen", s.l2_chosen},
          {"v", s.v},
          {"v_chosen", s.v_chosen},
          {"converged", s.converged},
          {"stop", s.stop},
          {"classes", classes},
          {"trace", trace},
          {"cross_fitted", s.cross_fitted},
          {"l2_tried", s.l2_tried},
          {"v_tried", s.v_tried},
          {"posterior", s.posterior},
          {"warnings", s.warnings}};
}

ClassifierSummary summary_from_json(const json& j) {
  ClassifierSummary s;
  s.rows = j.at("rows").get<std::size_t>();
  s.columns = j.at("columns").get<std::size_t>();
  s.l2 = j.at("l2").get<double>();
  s.l2_chosen = j.at("l2_chosen").get<bool>();
  s.v = j.at("v").get<double>();
  s.v_chosen = j.at("v_chosen").get<bool>();
  s.converged = j.at("converged").get<bool>();
  s.stop = j.at("stop").get<std::string>();
  for (const json& c : j.at("classes")) {
    s.classes.push_back({c.at("name").get<std::string>(), c.at("weight").get<double>(),
                         c.at("log_evidence").get<double>(), c.at("smallest_eigenvalue").get<double>(),
                         c.at("slope").get<double>(), c.at("score_lower").get<double>(),
                         c.at("score_upper").get<double>(), c.at("solver_stop").get<std::string>(),
                         c.at("gradient_ratio").get<double>()});
  }
  for (const json& e : j.at("trace")) {
    s.trace.push_back({e.at("step").get<int>(), e.at("objective").get<double>(),
                       e.at("mean_loss").get<double>(), e.at("passes").get<int>(), 0, 0});
  }
  s.cross_fitted = j.at("cross_fitted").get<bool>();
  s.l2_tried = j.at("l2_tried").get<std::vector<std::pair<double, double>>>();
  s.v_tried = j.at("v_tried").get<std::vector<std::pair<double, double>>>();
  s.posterior = j.value("posterior", "");
  s.warnings = j.at("warnings").get<std::vector<std::string>>();
  return s;
}

json link_to_json(const ClassLink& link) {
  if (link.is_identity()) return nullptr;
  json j = {{"lower", link.range().lower}, {"upper", link.range().upper}, {"theta", to_std(link.theta())}};
  json posterior = posterior_to_json(link.posterior());
  if (posterior.contains("kind")) {
    j["posterior"] = std::move(posterior);
  } else {
    j.update(posterior);  // Laplace's mode and factor
  }
  return j;
}

ClassLink link_from_json(const json& j, const LinkFamily& family) {
  const ScoreRange range{j.at("lower").get<double>(), j.at("upper").get<double>()};
  if (!(range.half() > 0)) throw InputError("link: its range is empty");
  const Vector theta = to_vector(j.at("theta"));
  if (theta.size() != family.hyper_size()) throw InputError("link.theta has the wrong size");
  const SourceModel source = family.source(theta);
  return {
      range, theta, source, posterior_from_json(j.contains("posterior") ? j.at("posterior") : j, source), {}};
}

std::shared_ptr<FittedClassifierState> state_from_json(const json& j) {
  auto s = std::make_shared<FittedClassifierState>();
  s->options = options_from_json(j.at("options"));
  s->base = std::make_shared<const BaseLoss>(s->options.loss);
  s->summary = summary_from_json(j.at("summary"));
  s->class_names = j.at("class_names").get<std::vector<std::string>>();
  s->feature_names = j.at("feature_names").get<std::vector<std::string>>();
  s->encoding = encoding_from_json(j.at("encoding"), s->feature_names.size());
  if (s->class_names.size() < 2) throw InputError("there are fewer than two classes");
  s->scale = {to_std(to_vector(j.at("shift"))), to_std(to_vector(j.at("scale")))};
  const std::size_t columns = s->feature_names.size();
  for (const auto& values : {s->scale.shift, s->scale.scale}) {
    if (!values.empty() && values.size() != columns) throw InputError("scale has the wrong size");
  }
  const std::size_t scores = s->class_names.size() == 2 ? 1 : s->class_names.size();
  s->beta = to_std(to_vector(j.at("beta")));
  if (s->beta.size() != scores * (columns + 1)) throw InputError("beta has the wrong size");
  const json& links = j.at("links");
  if (links.size() != scores) throw InputError("links has the wrong size");
  const auto hyper = link_hyper(s->options, s->summary.v, s->base);
  for (const json& link : links) {
    if (!link.is_null() && !hyper) throw InputError("a link is learned where the prior allows none");
    s->links.push_back(link.is_null() ? ClassLink() : link_from_json(link, LinkFamily(*hyper)));
  }
  s->set_maps();
  return s;
}

}  // namespace

std::string FittedLinkgisticClassifier::to_json() const {
  const FittedClassifierState& s = *state_;
  json j = model_head(classifier_kind);
  j["options"] = options_to_json(s.options);
  j["summary"] = summary_to_json(s.summary);
  j["class_names"] = s.class_names;
  j["feature_names"] = s.feature_names;
  j["encoding"] = encoding_to_json(s.encoding);
  j["shift"] = s.scale.shift;
  j["scale"] = s.scale.scale;
  j["beta"] = s.beta;
  j["links"] = json::array();
  for (const ClassLink& link : s.links) j["links"].push_back(link_to_json(link));
  return j.dump(1) + "\n";
}

FittedLinkgisticClassifier FittedLinkgisticClassifier::from_json(const std::string& text,
                                                                 const std::string& origin) {
  return read_model(text, origin, classifier_kind,
                    [](const json& j) { return FittedLinkgisticClassifier(state_from_json(j)); });
}

void FittedLinkgisticClassifier::save(const std::string& path) const { write_atomically(path, to_json()); }

FittedLinkgisticClassifier FittedLinkgisticClassifier::load(const std::string& path) {
  return from_json(read_model_text(path), path);
}

}  // namespace linkgistic
