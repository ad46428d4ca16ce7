#include "report/command.hpp"

#include "calibration/options.hpp"
#include "classification/options.hpp"
#include "regression/options.hpp"
#include "report/shell_word.hpp"
#include "report/words.hpp"
#include "rows/missing_names.hpp"
#include "text/message.hpp"

namespace linkgistic {
namespace {

class CommandLine {
 public:
  explicit CommandLine(const std::string& verb) : text_("linkgistic " + verb + " TABLE") {}

  void add(const std::string& flag) { text_ += " " + flag; }
  void add(const std::string& flag, const std::string& value) {
    text_ += " " + flag + " " + shell_word(value);
  }

  /// A flag for the name that a model has for a role of its columns, where there is one.
  void add_columns(const std::map<std::string, std::string>& columns,
                   std::initializer_list<std::pair<const char*, const char*>> flags_and_roles) {
    for (const auto& [flag, role] : flags_and_roles) {
      const auto it = columns.find(role);
      if (it != columns.end()) add(flag, it->second);
    }
  }

  /// All options that decide the model, also those at their defaults, which another version may change.
  template <class Options>
  std::string with(const Options& options) && {
    each_field(options, [this](const auto& f, const auto& value) {
      if (f.in_command && !f.flag.empty() && !is_left_out(f, value)) this->add_option(f, value);
    });
    return text_ + " --model MODEL.json";
  }

 private:
  template <class T>
  void add_option(const FieldFacts<T>& f, const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      if (value) add(f.flag);
    } else if constexpr (std::is_enum_v<T>) {
      add(f.flag, name_of(*f.allowed, value));
    } else if constexpr (std::is_integral_v<T>) {
      add(f.flag, std::to_string(value));
    } else if constexpr (std::is_same_v<T, double>) {
      add(f.flag, shortest(value));
    } else if constexpr (std::is_same_v<T, std::optional<double>>) {
      add(f.flag, value ? shortest(*value) : "auto");
    } else if constexpr (std::is_same_v<T, Rate>) {
      add(f.flag, value.learned ? "learn" : shortest(value.value));
    } else if constexpr (std::is_same_v<T, std::optional<bool>>) {
      add(f.flag, value ? (*value ? "on" : "off") : "auto");
    } else if constexpr (std::is_same_v<T, std::string>) {
      add(f.flag, value);
    } else {
      for (const auto& [name, number] : value) add(f.flag, name + "=" + shortest(number));
    }
  }

  std::string text_;
};

std::string delimiter_word(const std::string& delimiter) { return delimiter == "\t" ? "tab" : delimiter; }

}  // namespace

std::string command_of(const FittedMonotoneRegression& fit) {
  CommandLine line("regress");
  line.add("--x", column_of(fit, "x"));
  line.add("--y", column_of(fit, "y"));
  line.add_columns(fit.columns(), {{"--weights", "weight"},
                                   {"--offset", "offset"},
                                   {"--exposure", "exposure"},
                                   {"--trials", "trials"},
                                   {"--positive", "positive"},
                                   {"--missing", "missing"},
                                   {"--na", "na"},
                                   {"--delimiter", "delimiter"},
                                   {"--decimal", "decimal"}});
  return std::move(line).with(fit.options());
}

std::string command_of(const FittedLinkgisticClassifier& fit) {
  const FeatureEncoding& e = fit.encoding();
  CommandLine line("classify");
  if (!e.label.empty()) line.add("--label", e.label);
  if (e.label.empty() && !e.labels_within) line.add("--labels", "LABELS");
  if (!e.weights.empty()) line.add("--weights", e.weights);
  for (const std::string& name : e.drop) line.add("--drop", name);
  if (e.missing != MissingValues::error) line.add("--missing", name_of(missing_names(), e.missing));
  if (e.na != default_missing_words()) line.add("--na", joined(e.na, ","));
  for (const std::string& name : e.categorical) line.add("--categorical", name);
  if (!e.delimiter.empty()) line.add("--delimiter", delimiter_word(e.delimiter));
  if (e.decimal != ".") line.add("--decimal", e.decimal);
  if (e.zero_based) line.add("--zero-based");
  // --class takes a label with a comma, and says which of two comes second where that is not the greater.
  const std::vector<std::string>& classes = fit.class_names();
  if (e.positive.size() > 1) line.add("--binary", joined(e.positive, ","));
  if (e.positive.size() == 1) line.add("--class", e.positive.front());
  if (e.positive.empty() && encode_labels(classes).names != classes) line.add("--class", classes.back());
  return std::move(line).with(fit.options());
}

std::string command_of(const FittedMonotoneCalibrator& fit) {
  CommandLine line("calibrate");
  line.add("--score", column_of(fit, "score"));
  line.add("--label", column_of(fit, "label"));
  line.add_columns(fit.columns(), {{"--positive", "positive"},
                                   {"--weights", "weight"},
                                   {"--missing", "missing"},
                                   {"--na", "na"},
                                   {"--delimiter", "delimiter"},
                                   {"--decimal", "decimal"}});
  return std::move(line).with(fit.options());
}

std::string command_of(const FittedClassCalibrator& fit) {
  CommandLine line("calibrate");
  std::vector<std::string> scores;
  for (std::size_t c = 1; c <= fit.class_names().size(); ++c)
    scores.push_back(column_of(fit, "score " + std::to_string(c)));
  line.add("--score", joined(scores, ","));
  line.add("--label", column_of(fit, "label"));
  line.add_columns(fit.columns(), {{"--weights", "weight"},
                                   {"--missing", "missing"},
                                   {"--na", "na"},
                                   {"--delimiter", "delimiter"},
                                   {"--decimal", "decimal"}});
  return std::move(line).with(fit.options());
}

}  // namespace linkgistic
