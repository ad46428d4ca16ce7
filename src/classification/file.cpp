// A fitted classifier as JSON: what it takes to predict, and what was learned. No timings, so that the same
// data, options and seed give the same bytes.
#include "classification/file.hpp"

#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>

#include "classification/fitted.hpp"
#include "classification/options.hpp"
#include "classification/pairs.hpp"
#include "classification/summary.hpp"
#include "model_file/encoding_file.hpp"
#include "model_file/fields_json.hpp"
#include "model_file/json_values.hpp"
#include "model_file/model_file.hpp"
#include "model_file/posterior_file.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

constexpr const char* classifier_kind = "linkgistic classifier";

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

json weights_to_json(const WeightPosterior& weights, bool straight) {
  json j = {{"rows", lower_to_json(weights.root)}};
  if (straight && weights.link.size() > 0) {
    j["lower"] = weights.link.range.lower;
    j["upper"] = weights.link.range.upper;
    j["mode"] = to_std(weights.link.g);
  }
  return j;
}

json errors_to_json(const CoefficientErrors& e) {
  return {{"error", e.error},
          {"robust", e.robust},
          {"effect", e.effect},
          {"effect_error", e.effect_error},
          {"effect_robust", e.effect_robust}};
}

CoefficientErrors errors_from_json(const json& j, std::size_t columns) {
  CoefficientErrors e{to_std(to_vector(j.at("error"))), to_std(to_vector(j.at("robust"))),
                      to_std(to_vector(j.at("effect"))), to_std(to_vector(j.at("effect_error"))),
                      to_std(to_vector(j.at("effect_robust")))};
  if (e.error.size() != columns + 1 || e.robust.size() != columns + 1 || e.effect.size() != columns ||
      e.effect_error.size() != columns || e.effect_robust.size() != columns)
    throw InputError("errors has the wrong size");
  return e;
}

// A link that is straight has coordinates of its own here; another one has those of the model.
WeightPosterior weights_from_json(const json& j, const FittedClassifierState& s) {
  WeightPosterior weights;
  if (!s.links[0].is_identity()) {
    weights.link = {s.links[0].range(), s.links[0].source(), s.links[0].posterior().estimate()};
  } else if (j.contains("mode")) {
    weights.link.range = {j.at("lower").get<double>(), j.at("upper").get<double>()};
    if (!(weights.link.range.half() > 0)) throw InputError("weights: the range of its link is empty");
    const auto hyper = link_hyper(s.options, LinkConstants::v, s.base);
    if (!hyper) throw InputError("weights.mode: the prior has no link");
    const LinkFamily family(*hyper);
    weights.link.source = family.source(family.theta(weights.link.range));
    weights.link.g = to_vector(j.at("mode"));
    if (weights.link.size() != weights.link.source.dimension())
      throw InputError("weights.mode has the wrong size");
  }
  const Index size = static_cast<Index>(s.beta.size()) + weights.link.size();
  weights.root = lower_from_json(j.at("rows"), size, size, "weights.rows");
  return weights;
}

std::shared_ptr<FittedClassifierState> state_from_json(const json& j) {
  auto s = std::make_shared<FittedClassifierState>();
  s->options = options_from_json<LinkgisticOptions>(j.at("options"));
  s->base = std::make_shared<const BaseLoss>(s->options.loss);
  fields_from_json(j.at("summary"), s->summary);
  s->class_names = j.at("class_names").get<std::vector<std::string>>();
  s->feature_names = j.at("feature_names").get<std::vector<std::string>>();
  s->encoding = encoding_from_json(j.at("encoding"), s->feature_names.size());
  if (s->class_names.size() < 2) throw InputError("there are fewer than two classes");
  s->scale = {to_std(to_vector(j.at("shift"))), to_std(to_vector(j.at("scale")))};
  const std::size_t columns = s->feature_names.size();
  for (const auto& values : {s->scale.shift, s->scale.scale}) {
    if (!values.empty() && values.size() != columns) throw InputError("scale has the wrong size");
  }
  const std::size_t classes = s->class_names.size();
  const std::size_t scores = classes == 2 || s->summary.pairwise ? pair_count(classes) : classes;
  s->beta = to_std(to_vector(j.at("beta")));
  if (s->beta.size() != scores * (columns + 1)) throw InputError("beta has the wrong size");
  const json& links = j.at("links");
  if (links.size() != scores) throw InputError("links has the wrong size");
  const auto hyper = link_hyper(*s);
  for (const json& link : links) {
    if (!link.is_null() && !hyper) throw InputError("a link is learned where the prior allows none");
    s->links.push_back(link.is_null() ? ClassLink() : link_from_json(link, LinkFamily(*hyper)));
  }
  s->joint = s->summary.softmax && j.value("joint", false);
  if (scores == 1 && j.contains("weights")) s->weights = weights_from_json(j.at("weights"), *s);
  if (scores == 1 && j.contains("errors")) s->errors = errors_from_json(j.at("errors"), columns);
  s->set_maps();
  return s;
}

}  // namespace

std::string FittedLinkgisticClassifier::to_json() const {
  const FittedClassifierState& s = *state_;
  json j = model_head(classifier_kind);
  j["options"] = fields_to_json(s.options);
  j["summary"] = fields_to_json(s.summary);
  j["class_names"] = s.class_names;
  j["feature_names"] = s.feature_names;
  j["encoding"] = encoding_to_json(s.encoding);
  j["shift"] = s.scale.shift;
  j["scale"] = s.scale.scale;
  j["beta"] = s.beta;
  j["links"] = json::array();
  for (const ClassLink& link : s.links) j["links"].push_back(link_to_json(link));
  if (s.summary.softmax) j["joint"] = s.joint;
  if (s.errors) j["errors"] = errors_to_json(*s.errors);
  if (s.weights) j["weights"] = weights_to_json(*s.weights, s.links[0].is_identity());
  return model_text(j);
}

FittedLinkgisticClassifier classifier_from(const ModelFile& file) {
  return read_model(file, classifier_kind,
                    [](const json& j) { return FittedLinkgisticClassifier(state_from_json(j)); });
}

FittedLinkgisticClassifier FittedLinkgisticClassifier::from_json(const std::string& text,
                                                                 const std::string& origin) {
  return classifier_from(parse_model(text, origin));
}

void FittedLinkgisticClassifier::save(const std::string& path) const { save_model(*this, path); }

FittedLinkgisticClassifier FittedLinkgisticClassifier::load(const std::string& path) {
  return from_json(read_model_text(path), path);
}

}  // namespace linkgistic
