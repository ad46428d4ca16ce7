// solve: numbers that are read off a fitted curve, with their intervals.
#include <cmath>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "context.hpp"
#include "model_file/model_file.hpp"
#include "output.hpp"
#include "regression/file.hpp"
#include "report/answer_figure.hpp"
#include "report/figure/render.hpp"
#include "report/regression_figure.hpp"
#include "report/response_words.hpp"
#include "report/words.hpp"
#include "text/message.hpp"
#include "text/parse_number.hpp"
#include "verbs.hpp"

namespace linkgistic {
namespace {

struct SolveFlags {
  std::string model, level, figure;
  std::optional<double> at, slope, detection, quantification;
  std::vector<double> difference, ratio, area, readings;
  bool steepest = false, json = false;
  double interval = 0.9;
};

// What was asked, in words, and the answer.
struct Solved {
  std::string what;
  CurveAnswer answer;
  bool is_place = true;  // an x
};

// "50%" or "0.5".
double share_of(const std::string& text) {
  const bool percent = text.ends_with("%");
  double value = 0;
  const std::string_view digits = std::string_view(text).substr(0, text.size() - (percent ? 1 : 0));
  if (parse_number(digits, value) != NumberKind::finite || !(value > 0 && value < (percent ? 100 : 1)))
    throw UsageError("--level " + in_quotes(text) +
                     ": it must be a share between 0 and 1, or per cent, as 50%");
  return percent ? value / 100 : value;
}

void check_one_question(const SolveFlags& f) {
  const int asked = int(f.at.has_value()) + int(!f.level.empty()) + int(f.slope.has_value()) +
                    int(f.steepest) + int(!f.difference.empty()) + int(!f.ratio.empty()) +
                    int(!f.area.empty()) + int(!f.readings.empty()) + int(f.detection.has_value()) +
                    int(f.quantification.has_value());
  if (asked == 1) return;
  throw UsageError(
      "solve answers one question: --at, --level, --slope, --steepest, --difference, --ratio, --area, "
      "--readings, --detection or --quantification");
}

Solved solved(const FittedMonotoneRegression& fit, const SolveFlags& f) {
  const std::string x = x_name(fit), mean = mean_words(fit);
  if (f.at) return {x + " at which " + mean + " is " + number(*f.at), fit.inverse(*f.at, f.interval)};
  if (!f.level.empty()) {
    const double share = share_of(f.level);
    return {
        x + " at which " + number(100 * share) + " % of the change of " + mean + " over the data is reached",
        fit.inverse_share(share, f.interval)};
  }
  if (f.steepest) return {x + " at which " + mean + " changes fastest", fit.steepest(f.interval)};
  if (!f.readings.empty()) {
    return {x + " of the sample with " + counted(f.readings.size(), "reading"),
            fit.unknown(f.readings, f.interval)};
  }
  if (f.detection) {
    return {"least " + x + " that a reading tells from " + number(fit.summary().x_lower) + ", both errors " +
                number(100 * *f.detection) + " %",
            fit.detection_limit(*f.detection, f.interval)};
  }
  if (f.quantification) {
    return {"least " + x + " that a reading tells with a relative standard deviation of " +
                number(100 * *f.quantification) + " %",
            fit.quantification_limit(*f.quantification, f.interval)};
  }
  const auto of = [&](const char* name, Functional which, const std::vector<double>& at) {
    std::string places = number(at[0]);
    if (at.size() > 1) places += " and " + number(at[1]);
    return Solved{
        std::string(name) + " of " + mean + (at.size() > 1 ? " between " : " at ") + x + " " + places,
        fit.functional(which, at, f.interval), false};
  };
  if (f.slope) return of("slope", Functional::slope, {*f.slope});
  if (!f.difference.empty()) return of("difference", Functional::difference, f.difference);
  if (!f.ratio.empty()) return of("ratio", Functional::ratio, f.ratio);
  return of("area", Functional::area, f.area);
}

std::string text_of(const FittedMonotoneRegression& fit, const Solved& s, double share) {
  const auto end = [](double value, const char* side) {
    return std::isnan(value) ? std::string("not reached within the data ") + side : number(value);
  };
  const std::string within = number(fit.summary().x_lower) + " to " + number(fit.summary().x_upper);
  std::string text = s.what + "\n";
  text += line("estimate", std::isnan(s.answer.estimate) ? "not reached within the data, " + within
                                                         : number(s.answer.estimate));
  if (s.is_place && std::isnan(s.answer.lower) && std::isnan(s.answer.upper)) {
    return text + line(number(100 * share) + " % interval", "not within the data, " + within);
  }
  return text + line(number(100 * share) + " % interval",
                     end(s.answer.lower, "to the left") + ", " + end(s.answer.upper, "to the right"));
}

nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

void solve(const SolveFlags& flags) {
  check_one_question(flags);
  const std::string origin = flags.model == "-" ? "stdin" : flags.model;
  const FittedMonotoneRegression fit = [&] {
    return regression_from(parse_model(read_model_text(flags.model), origin));
  }();
  const Solved answer = solved(fit, flags);
  if (!flags.figure.empty()) {
    if (!answer.is_place) throw UsageError("--figure: it is of an x that was sought");
    render(answer_figure(fit, {}, answer.what, answer.answer), flags.figure);
  }
  if (!flags.json) return print(text_of(fit, answer, flags.interval));
  print(nlohmann::ordered_json{{"what", answer.what},
                               {"estimate", number_or_null(answer.answer.estimate)},
                               {"lower", number_or_null(answer.answer.lower)},
                               {"upper", number_or_null(answer.answer.upper)},
                               {"interval", flags.interval}}
            .dump(1) +
        "\n");
}

}  // namespace

void add_solve(CLI::App& program, Context& context) {
  auto* verb = program.add_subcommand("solve", "Read a number with its interval off a fitted monotone curve");
  const auto options = std::make_shared<SolveFlags>();
  verb->add_option("model", options->model, "Model file of a regression; - is standard input")->required();
  verb->add_option("--at", options->at, "x at which the mean is this (binomial, bernoulli: a share)");
  verb->add_option(
      "--level", options->level,
      "x at which this share of the mean's change over the data, from its left end, is reached: 50%");
  verb->add_option("--slope", options->slope, "Slope of the mean at this x");
  verb->add_flag("--steepest", options->steepest, "x at which the mean changes fastest");
  const auto two = [&](const char* flag, std::vector<double>& values, const char* meaning) {
    verb->add_option(flag, values, meaning)->delimiter(',')->expected(2)->type_name("X1,X2");
  };
  two("--difference", options->difference, "Mean at the second x less that at the first");
  two("--ratio", options->ratio, "Mean at the second x by that at the first");
  two("--area", options->area, "Area under the mean between two x");
  verb->add_option("--readings", options->readings,
                   "x of an unknown sample with these readings of y, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--detection", options->detection,
                   "Least x whose readings differ from those of the least x of the data, with this share of "
                   "errors of both kinds: 0.05");
  verb->add_option("--quantification", options->quantification,
                   "Least x that one reading tells with this relative standard deviation: 0.1");
  verb->add_option("--interval", options->interval, "Probability inside the interval, between 0 and 1")
      ->capture_default_str();
  verb->add_option("--figure", options->figure, "Figure of the crossing to write: .svg, .png or .pdf");
  verb->add_flag("--json", options->json, "Print one JSON object; null: not reached within the data");
  add_quiet(*verb, context);
  verb->footer(
      "The curve is never continued beyond the data: what is not reached there is said so.\n\n"
      "Examples:\n"
      "  linkgistic solve dose.json --level 50% --interval 0.9\n"
      "  linkgistic solve mpg.json --at 20 --json\n"
      "  linkgistic solve assay.json --readings 0.52,0.55,0.49");
  verb->callback([options] { solve(*options); });
}

}  // namespace linkgistic
