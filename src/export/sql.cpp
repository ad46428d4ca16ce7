// SQL: a query in steps, each a common table expression that adds columns to the distinct rows of features;
// standard but for the functions exp, ln and floor. The table is joined with the last step, so that none of
// the columns in between come out.
#include <cmath>
#include <functional>

#include "export/sql_columns.hpp"
#include "export/writers.hpp"
#include "text/message.hpp"

namespace linkgistic {
namespace {

std::string column_of(const char* what, std::size_t score) {
  return "lg_" + std::string(what) + std::to_string(score);
}

/// The steps of a query.
class Query {
 public:
  Query(const std::string& table, const SqlColumns& columns) : table_(sql_identifier(table)) {
    text_ = "WITH lg_rows AS (\n  SELECT DISTINCT";
    for (std::size_t i = 0; i < columns.keys.size(); ++i) {
      const std::string name = column_of("x", i);
      text_ += (i == 0 ? "\n    " : ",\n    ") + columns.keys[i] + " AS " + name;
      // A key that is NULL equals none: the row gets NULL.
      match_ += (i == 0 ? "\n  " : "\n  AND ") + ("e." + name) + " = " + columns.keys[i];
    }
    text_ += "\n  FROM " + table_ + " AS r\n)";
  }

  /// Adds the columns of one step: for each score `name` is what term(score) says. DISTINCT changes nothing
  /// but the time: without it SQLite puts the terms of all steps before in the place of each column, many
  /// times over.
  void step(const PortableModel& model, const char* name, const std::function<std::string(std::size_t)>& term,
            const std::string& joins = "") {
    std::string text = "SELECT DISTINCT r.*";
    for (std::size_t k = 0; k < model.scores(); ++k)
      text += ",\n    " + term(k) + " AS " + column_of(name, k);
    const std::string step = "lg_step" + std::to_string(++steps_);
    text_ += ",\n" + step + " AS (\n  " + text + "\n  FROM " + last_ + " AS r" + joins + "\n)";
    last_ = step;
  }
  void values(const std::string& rows) {
    text_ += ",\nlg_cells(score, cell, a, b, c, d) AS (VALUES\n" + rows + ")";
  }

  /// The columns of the table and these of the last step, which is called e.
  [[nodiscard]] std::string select(const std::string& columns) const {
    return text_ + "\nSELECT r.*,\n  " + columns + "\nFROM " + table_ + " AS r LEFT JOIN " + last_ +
           " AS e ON" + match_ + ";\n";
  }

 private:
  std::string table_, text_, match_, last_ = "lg_rows";
  int steps_ = 0;
};

std::string between(const std::string& value, double lower, double upper) {
  return "CASE WHEN " + value + " < " + sql_number(lower) + " THEN " + sql_number(lower) + " WHEN " + value +
         " > " + sql_number(upper) + " THEN " + sql_number(upper) + " ELSE " + value + " END";
}

std::string bent_term(const std::string& s, const ScoreBend& bend, bool above) {
  const std::string end = sql_number(bend.end), m = sql_number(bend.margin);
  const std::string z = above ? s + " - " + end : end + " - " + s;
  return "CASE WHEN " + z + " > 0 THEN " + end + (above ? " + " : " - ") + m + " / (1e0 + " + m + " / (" + z +
         ")) ELSE " + s + " END";
}

// i + (x - e_i) / (e_{i+1} - e_i).
std::string place_term(const std::string& x, const std::vector<double>& edges) {
  std::string text = "CASE";
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    text += i + 2 < edges.size() ? " WHEN " + x + " < " + sql_number(edges[i + 1]) + " THEN " : " ELSE ";
    text += sql_number(static_cast<double>(i)) + " + (" + x + " - " + sql_number(edges[i]) + ") / " +
            sql_number(edges[i + 1] - edges[i]);
  }
  return text + " END";
}

void score_steps(Query& query, const PortableModel& model, std::string& s) {
  const auto one = [&](const char* name, const std::string& term) {
    query.step(model, name, [&](std::size_t) { return term; });
    s = name;
  };
  const auto at = [&] { return column_of(s.c_str(), 0); };
  if (model.probability) {
    one("l", "CASE WHEN " + at() + " <= 0 THEN -746e0 WHEN " + at() + " >= 1 THEN 746e0 ELSE ln(" + at() +
                 ") - ln(1e0 - " + at() + ") END");
    const std::string edge = sql_number(std::log(1e12)), l = at();
    one("m", "CASE WHEN " + l + " > " + edge + " THEN " + edge + " + ln(1e0 + " + l + " - " + edge +
                 ") WHEN " + l + " < -" + edge + " THEN -" + edge + " - ln(1e0 - " + l + " - " + edge +
                 ") ELSE " + l + " END");
  }
  if (model.below) one("f", bent_term(at(), *model.below, false));
  if (model.above) one("g", bent_term(at(), *model.above, true));
}

std::string cell_rows(const PortableModel& model) {
  std::string text;
  for (std::size_t k = 0; k < model.scores(); ++k) {
    for (std::size_t c = 0; c < model.cells(); ++c) {
      text += (text.empty() ? "  (" : ",\n  (") + std::to_string(k) + ", " + std::to_string(c);
      for (const double value : model.curves[k].cells[c]) text += ", " + sql_number(value);
      text += ")";
    }
  }
  return text;
}

std::string outputs(const PortableModel& model) {
  if (model.output == PortableOutput::value) return "e.lg_v0 AS estimate";
  const auto sigma = [](const std::string& v) { return "1e0 / (1e0 + exp(-" + v + "))"; };
  const auto named = [&](std::size_t c) { return " AS " + sql_identifier("p_" + model.classes[c]); };
  if (model.output == PortableOutput::two_classes)
    return "1e0 / (1e0 + exp(e.lg_v0))" + named(0) + ",\n  " + sigma("e.lg_v0") + named(1);
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < model.scores(); ++k) {
    const std::string v = "e." + column_of("v", k);
    parts.push_back(model.output == PortableOutput::softmax ? "exp(" + v + ")" : sigma(v));
  }
  const std::string sum = joined(parts, " + ");
  std::string text;
  for (std::size_t k = 0; k < parts.size(); ++k)
    text += (k == 0 ? "" : ",\n  ") + parts[k] + " / (" + sum + ")" + named(k);
  return text;
}

}  // namespace

std::string sql_text(const PortableModel& model, const std::string& name) {
  const SqlColumns columns = sql_columns(model);
  const std::vector<std::string>& terms = columns.features;
  Query query(name, columns);
  query.step(model, "s", [&](std::size_t k) {
    std::string sum = sql_number(model.coefficient(k, 0));
    for (std::size_t j = 0; j < terms.size(); ++j)
      sum += " + " + sql_number(model.coefficient(k, j + 1)) + " * " + terms[j];
    return sum;
  });
  std::string s = "s";
  score_steps(query, model, s);
  const auto score = [&](std::size_t k) { return column_of(s.c_str(), k); };
  query.step(model, "i",
             [&](std::size_t k) { return between(score(k), model.curves[k].lower, model.curves[k].upper); });
  const std::vector<double>& edges = model.curves.front().axis.edges;
  if (!edges.empty()) query.step(model, "a", [&](std::size_t) { return place_term("lg_i0", edges); });
  const char* const axis_column = edges.empty() ? "i" : "a";
  query.step(model, "u", [&](std::size_t k) {
    return "(" + column_of(axis_column, k) + " - " + sql_number(model.curves[k].begin) + ") * " +
           sql_number(model.curves[k].per_unit);
  });
  const double last = static_cast<double>(model.cells()) - 1;
  query.step(model, "c", [&](std::size_t k) { return between("floor(" + column_of("u", k) + ")", 0, last); });
  query.values(cell_rows(model));
  std::string joins;
  for (std::size_t k = 0; k < model.scores(); ++k) {
    std::string t(1, 't');
    t += std::to_string(k);
    joins += "\n  LEFT JOIN lg_cells AS " + t + " ON " + t + ".score = " + std::to_string(k) + " AND " + t +
             ".cell = r." + column_of("c", k);
  }
  query.step(
      model, "w",
      [&](std::size_t k) {
        const std::string t = "(r." + column_of("u", k) + " - r." + column_of("c", k) + ")";
        const std::string c = "t" + std::to_string(k) + ".";
        const PortableCurve& curve = model.curves[k];
        return c + "a + " + t + " * (" + c + "b + " + t + " * (" + c + "c + " + t + " * " + c + "d)) + (r." +
               score(k) + " - r." + column_of("i", k) + ") * CASE WHEN r." + score(k) + " < r." +
               column_of("i", k) + " THEN " + sql_number(curve.slope_below) + " ELSE " +
               sql_number(curve.slope_above) + " END";
      },
      joins);
  // The exponentials of what is beyond this would overflow.
  const bool values = model.output == PortableOutput::value;
  query.step(model, "v", [&](std::size_t k) {
    return values ? column_of("w", k) : between(column_of("w", k), -700, 700);
  });
  return "-- " + model.kind + ", written by linkgistic: the columns of the table " + sql_identifier(name) +
         " and, last, what is predicted.\n" + query.select(outputs(model));
}

}  // namespace linkgistic
