// C: a header with one function, which needs nothing but math.h.
#include <cctype>

#include "export/writers.hpp"
#include "text/print_number.hpp"
#include "text/utf8.hpp"

namespace linkgistic {
namespace {

// A number of C: never an integer, whose division would round.
std::string c_number(double value) {
  std::string text = shortest(value);
  return text.find_first_of(".en") == text.npos ? text + ".0" : text;
}

// Text that cannot end a comment.
std::string comment(const std::string& text) {
  std::string out;
  for (const char c : visible(text)) out += c == '\n' || c == '*' || c == '\\' ? ' ' : c;
  return out;
}

std::string number_list(const std::string& indent, const std::vector<double>& values) {
  std::string text = indent;
  std::size_t width = indent.size();
  for (const double value : values) {
    const std::string one = c_number(value) + ", ";
    if (width + one.size() > 116) {
      text += "\n" + indent;
      width = indent.size();
    }
    text += one;
    width += one.size();
  }
  return text + "\n";
}

template <class Of>
std::string row_code(const PortableModel& model, const char* name, const Of& of) {
  std::vector<double> values;
  for (const PortableCurve& curve : model.curves) values.push_back(of(curve));
  return "  static const double " + std::string(name) + "[] = {\n" + number_list("    ", values) + "  };\n";
}

std::string constants(const PortableModel& model) {
  std::string text =
      "  static const double coefficients[] = {\n" + number_list("    ", model.coefficients) + "  };\n";
  text += row_code(model, "lower", [](const auto& c) { return c.lower; });
  text += row_code(model, "upper", [](const auto& c) { return c.upper; });
  text += row_code(model, "begin", [](const auto& c) { return c.begin; });
  text += row_code(model, "per_unit", [](const auto& c) { return c.per_unit; });
  text += row_code(model, "slope_below", [](const auto& c) { return c.slope_below; });
  text += row_code(model, "slope_above", [](const auto& c) { return c.slope_above; });
  text += "  static const double cells[] = { /* of the cubics a + b t + c t^2 + d t^3 */\n";
  for (const PortableCurve& curve : model.curves)
    for (const auto& cell : curve.cells) text += number_list("    ", {cell.begin(), cell.end()});
  return text + "  };\n";
}

std::string bend_code(const ScoreBend& bend, const char* compare, const char* sign, const char* way) {
  return "    if (s " + std::string(compare) + " " + c_number(bend.end) + ") s = " + c_number(bend.end) +
         " " + sign + " " + c_number(bend.margin) + " / (1.0 + " + c_number(bend.margin) + " / (" + way +
         "));\n";
}

std::string score_code(const PortableModel& model) {
  std::string text;
  if (model.probability) {
    text +=
        "    s = s <= 0.0 ? -746.0 : s >= 1.0 ? 746.0 : log(s) - log1p(-s);\n"
        "    if (fabs(s) > log(1e12)) s = copysign(log(1e12) + log1p(fabs(s) - log(1e12)), s);\n";
  }
  if (model.below) text += bend_code(*model.below, "<", "-", (c_number(model.below->end) + " - s").c_str());
  if (model.above) text += bend_code(*model.above, ">", "+", ("s - " + c_number(model.above->end)).c_str());
  text += "    inside = s < lower[k] ? lower[k] : s > upper[k] ? upper[k] : s;\n";
  const std::vector<double>& edges = model.curves.front().axis.edges;
  if (edges.empty()) return text + "    u = inside;\n";
  text += "    {\n      static const double edges[] = {\n" + number_list("        ", edges) +
          "      };\n      int i = 0;\n      while (i < " + std::to_string(edges.size() - 2) +
          " && inside >= edges[i + 1]) ++i;\n"
          "      u = i + (inside - edges[i]) / (edges[i + 1] - edges[i]);\n    }\n";
  return text;
}

std::string ending(const PortableModel& model) {
  switch (model.output) {
    case PortableOutput::value:
      return "  out[0] = nu[0];\n";
    case PortableOutput::two_classes:
      return "  out[0] = 1.0 / (1.0 + exp(nu[0]));\n  out[1] = 1.0 / (1.0 + exp(-nu[0]));\n";
    case PortableOutput::one_against_rest:
      return "  for (k = 0; k < scores; ++k) {\n"
             "    nu[k] = (nu[k] < 0.0 ? nu[k] : 0.0) - log1p(exp(-fabs(nu[k]))); /* log sigma(nu) */\n  }\n";
    case PortableOutput::softmax:
      break;
  }
  return "";
}

constexpr const char* softmax_code =
    "  for (k = 0; k < scores; ++k) largest = k == 0 || nu[k] > largest ? nu[k] : largest;\n"
    "  for (k = 0; k < scores; ++k) sum += out[k] = exp(nu[k] - largest);\n"
    "  for (k = 0; k < scores; ++k) out[k] /= sum;\n";

}  // namespace

std::string c_text(const PortableModel& model, const std::string& name) {
  std::string guard = name;
  for (char& c : guard) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string text =
      "/* " + comment(model.kind) + ", written by linkgistic.\n * " + name + "(x, out) takes the features\n";
  for (std::size_t j = 0; j < model.features.size(); ++j)
    text += " *   x[" + std::to_string(j) + "]: " + comment(model.features[j]) + "\n";
  text += model.classes.empty() ? " * and writes the estimate to out[0].\n"
                                : " * and writes the probabilities of\n";
  for (std::size_t k = 0; k < model.classes.size(); ++k)
    text += " *   out[" + std::to_string(k) + "]: " + comment(model.classes[k]) + "\n";
  const bool probabilities =
      model.output == PortableOutput::softmax || model.output == PortableOutput::one_against_rest;
  text += " */\n#ifndef " + guard + "_H\n#define " + guard + "_H\n\n#include <math.h>\n\nstatic void " +
          name + "(const double* x, double* out) {\n" + constants(model) +
          "  enum { columns = " + std::to_string(model.features.size()) +
          ", scores = " + std::to_string(model.scores()) + ", per_score = " + std::to_string(model.cells()) +
          " };\n  double nu[scores];\n  int j, k;\n" +
          (probabilities ? "  double largest = 0.0, sum = 0.0;\n" : "") +
          "  for (k = 0; k < scores; ++k) {\n"
          "    const double* const beta = coefficients + k * (columns + 1);\n"
          "    const double* cell;\n"
          "    double s = beta[0], inside, u, t;\n"
          "    int at;\n"
          "    for (j = 0; j < columns; ++j) s += beta[j + 1] * x[j];\n" +
          score_code(model) +
          "    u = (u - begin[k]) * per_unit[k];\n"
          "    at = u >= per_score ? per_score - 1 : u >= 0.0 ? (int)u : 0; /* of NaN too, which t keeps */\n"
          "    t = u - at;\n"
          "    cell = cells + 4 * (k * per_score + at);\n"
          "    nu[k] = cell[0] + t * (cell[1] + t * (cell[2] + t * cell[3])) +\n"
          "            (s < lower[k] ? slope_below[k] : slope_above[k]) * (s - inside);\n"
          "  }\n" +
          ending(model) + (probabilities ? softmax_code : "") + "}\n\n#endif\n";
  return text;
}

}  // namespace linkgistic
