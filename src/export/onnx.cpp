// ONNX: the graph of a portable model. The numbers of the messages' fields are those of onnx.proto.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include <linkgistic/version.hpp>

#include "export/protobuf.hpp"
#include "export/writers.hpp"

namespace linkgistic {
namespace {

static_assert(std::endian::native == std::endian::little, "raw tensors are little-endian");

constexpr int float_type = 1, int64_type = 7, double_type = 11;

template <class T>
ProtobufMessage tensor(const std::string& name, int type, const std::vector<std::int64_t>& shape,
                       const std::vector<T>& values) {
  ProtobufMessage m;
  for (const std::int64_t size : shape) m.number(1, size);
  m.number(2, type).bytes(8, name);
  return m.bytes(9, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

// (n, columns) of a type; no columns: (n).
ProtobufMessage value_info(const std::string& name, int type, std::int64_t columns) {
  ProtobufMessage shape, tensor_type;
  shape.message(1, ProtobufMessage().bytes(2, "n"));
  if (columns > 0) shape.message(1, ProtobufMessage().number(1, columns));
  tensor_type.number(1, type).message(2, shape);
  return ProtobufMessage().bytes(1, name).message(2, ProtobufMessage().message(1, tensor_type));
}

ProtobufMessage integer(const char* name, std::int64_t value) {
  return ProtobufMessage().bytes(1, name).number(3, value).number(20, 2);
}

/// A graph that grows node by node; a value is known by its name.
class Graph {
 public:
  std::string constant(const std::vector<double>& values, const std::vector<std::int64_t>& shape) {
    const std::string name = fresh("c");
    graph_.message(5, tensor(name, double_type, shape, values));
    return name;
  }
  std::string constant(double value) { return constant({value}, {}); }
  std::string integers(const std::vector<std::int64_t>& values) {
    const std::string name = fresh("i");
    const auto size = static_cast<std::int64_t>(values.size());
    graph_.message(5, tensor(name, int64_type, {size}, values));
    return name;
  }
  std::string node(const char* type, const std::vector<std::string>& inputs,
                   const std::vector<ProtobufMessage>& attributes = {}, std::string output = "") {
    if (output.empty()) output = fresh("v");
    ProtobufMessage m;
    for (const std::string& input : inputs) m.bytes(1, input);
    m.bytes(2, output).bytes(3, "node_" + output).bytes(4, type);
    for (const ProtobufMessage& attribute : attributes) m.message(5, attribute);
    nodes_.message(1, m);
    return output;
  }
  std::string cast(const std::string& value, int type, std::string output = "") {
    return node("Cast", {value}, {integer("to", type)}, std::move(output));
  }
  void input(const std::string& name, std::int64_t columns) {
    graph_.message(11, value_info(name, float_type, columns));
  }
  void output(const std::string& name, int type, std::int64_t columns) {
    graph_.message(12, value_info(name, type, columns));
  }

  [[nodiscard]] std::string model() const {
    ProtobufMessage all;
    const std::string graph = nodes_.text() + ProtobufMessage().bytes(2, "linkgistic").text() + graph_.text();
    all.number(1, 8).bytes(2, "linkgistic").bytes(3, version).bytes(7, graph);
    return all.message(8, ProtobufMessage().bytes(1, "").number(2, 13)).text();
  }

 private:
  std::string fresh(const char* prefix) { return prefix + std::to_string(count_++); }

  ProtobufMessage nodes_, graph_;
  int count_ = 0;
};

// log p/(1-p), bounded as in numeric/log_odds.hpp.
std::string log_odds(Graph& g, const std::string& p) {
  const std::string one = g.constant(1), zero = g.constant(0), limit = g.constant(746);
  const std::string edge = g.constant(std::log(1e12));
  std::string l = g.node("Sub", {g.node("Log", {p}), g.node("Log", {g.node("Sub", {one, p})})});
  l = g.node("Where", {g.node("LessOrEqual", {p, zero}), g.node("Neg", {limit}), l});
  l = g.node("Where", {g.node("GreaterOrEqual", {p, one}), limit, l});
  const std::string size = g.node("Abs", {l});
  const std::string beyond = g.node("Max", {g.node("Sub", {size, edge}), zero});
  const std::string far = g.node("Add", {edge, g.node("Log", {g.node("Add", {one, beyond})})});
  return g.node("Where", {g.node("Greater", {size, edge}), g.node("Mul", {g.node("Sign", {l}), far}), l});
}

// end + sign m / (1 + m / z) where z = sign (s - end) is positive.
std::string bent(Graph& g, const std::string& s, const ScoreBend& bend, double sign) {
  const std::string end = g.constant(bend.end), m = g.constant(bend.margin), one = g.constant(1);
  const std::string z = g.node("Mul", {g.constant(sign), g.node("Sub", {s, end})});
  const std::string way = g.node("Div", {m, g.node("Add", {one, g.node("Div", {m, z})})});
  return g.node("Where", {g.node("Greater", {z, g.constant(0)}),
                          g.node("Add", {end, g.node("Mul", {g.constant(sign), way})}), s});
}

// One number a score, (1, scores).
template <class Of>
std::string row_of(Graph& g, const PortableModel& model, const Of& of) {
  std::vector<double> values;
  for (const PortableCurve& curve : model.curves) values.push_back(of(curve));
  return g.constant(values, {1, static_cast<std::int64_t>(values.size())});
}

// i + (s - e_i) / (e_{i+1} - e_i) of scores (n, 1), i the number of inner edges at or below s.
std::string place_among_edges(Graph& g, const std::string& s, const std::vector<double>& edges) {
  const auto count = static_cast<std::int64_t>(edges.size()) - 2;
  std::vector<double> inner(edges.begin() + 1, edges.end() - 1), first(edges.begin(), edges.end() - 1), width;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) width.push_back(edges[i + 1] - edges[i]);
  const std::string above = g.cast(g.node("GreaterOrEqual", {s, g.constant(inner, {1, count})}), double_type);
  const std::string i = g.node("ReduceSum", {above, g.integers({1})}, {integer("keepdims", 1)});
  const std::string place = g.cast(i, int64_type);
  const auto at = [&](const std::vector<double>& values) {
    return g.node("Gather", {g.constant(values, {count + 1}), place}, {integer("axis", 0)});
  };
  return g.node("Add", {i, g.node("Div", {g.node("Sub", {s, at(first)}), at(width)})});
}

// The curves at the scores (n, scores).
std::string through_curves(Graph& g, const PortableModel& model, const std::string& s) {
  const auto row = [&](auto of) { return row_of(g, model, of); };
  const std::string lower = row([](const auto& c) { return c.lower; });
  const std::string upper = row([](const auto& c) { return c.upper; });
  const std::string inside = g.node("Min", {g.node("Max", {s, lower}), upper});
  std::string u = inside;
  if (!model.curves.front().axis.edges.empty())
    u = place_among_edges(g, inside, model.curves.front().axis.edges);
  u = g.node("Mul", {g.node("Sub", {u, row([](const auto& c) { return c.begin; })}),
                     row([](const auto& c) { return c.per_unit; })});
  const auto cells = static_cast<double>(model.cells());
  const std::string cell =
      g.node("Min", {g.node("Max", {g.node("Floor", {u}), g.constant(0)}), g.constant(cells - 1)});
  const std::string t = g.node("Sub", {u, cell});
  std::vector<double> first, table;
  for (std::size_t k = 0; k < model.scores(); ++k) {
    first.push_back(static_cast<double>(k) * cells);
    for (const auto& coefficients : model.curves[k].cells)
      table.insert(table.end(), coefficients.begin(), coefficients.end());
  }
  const auto scores = static_cast<std::int64_t>(model.scores());
  // NaN is in no cell: the first one stands in, and the value of the score is NaN at the end. Runtimes differ
  // in the Min and Max of NaN, so neither is left to them.
  const std::string known =
      g.node("Where", {g.node("GreaterOrEqual", {cell, g.constant(0)}), cell, g.constant(0)});
  const std::string place = g.cast(g.node("Add", {known, g.constant(first, {1, scores})}), int64_type);
  const std::string name = g.constant(table, {scores * static_cast<std::int64_t>(model.cells()), 4});
  const std::string all = g.node("Gather", {name, place}, {integer("axis", 0)});  // (n, scores, 4)
  std::string value;
  for (std::int64_t power = 3; power >= 0; --power) {
    const std::string coefficient = g.node(
        "Squeeze", {g.node("Gather", {all, g.integers({power})}, {integer("axis", 2)}), g.integers({2})});
    value = value.empty() ? coefficient : g.node("Add", {coefficient, g.node("Mul", {t, value})});
  }
  const std::string beyond = g.node("Sub", {s, inside}), zero = g.constant(0);
  const std::string below =
      g.node("Mul", {g.node("Min", {beyond, zero}), row([](const auto& c) { return c.slope_below; })});
  const std::string above =
      g.node("Mul", {g.node("Max", {beyond, zero}), row([](const auto& c) { return c.slope_above; })});
  const std::string nu = g.node("Add", {value, g.node("Add", {below, above})});
  return g.node("Where", {g.node("Equal", {s, s}), nu, s});
}

// What a softmax turns into the probabilities (n, C).
std::string logits(Graph& g, const PortableModel& model, const std::string& nu) {
  if (model.output == PortableOutput::softmax) return nu;
  if (model.output == PortableOutput::two_classes)
    return g.node("Concat", {g.node("Mul", {nu, g.constant(0)}), nu}, {integer("axis", 1)});
  // log sigma(nu) = min(nu, 0) - log(1 + exp -|nu|)
  const std::string e = g.node("Exp", {g.node("Neg", {g.node("Abs", {nu})})});
  return g.node("Sub",
                {g.node("Min", {nu, g.constant(0)}), g.node("Log", {g.node("Add", {g.constant(1), e})})});
}

}  // namespace

std::string onnx_text(const PortableModel& model) {
  Graph g;
  const auto columns = static_cast<std::int64_t>(model.features.size());
  const auto scores = static_cast<std::int64_t>(model.scores());
  g.input("input", columns);
  std::vector<double> intercept, slopes(static_cast<std::size_t>(columns * scores));
  for (std::size_t k = 0; k < model.scores(); ++k) {
    intercept.push_back(model.coefficient(k, 0));
    for (std::size_t j = 0; j < model.features.size(); ++j)
      slopes[j * model.scores() + k] = model.coefficient(k, j + 1);
  }
  std::string s = g.node("MatMul", {g.cast("input", double_type), g.constant(slopes, {columns, scores})});
  s = g.node("Add", {s, g.constant(intercept, {1, scores})});
  if (model.probability) s = log_odds(g, s);
  if (model.below) s = bent(g, s, *model.below, -1);
  if (model.above) s = bent(g, s, *model.above, 1);
  const std::string nu = through_curves(g, model, s);
  if (model.output == PortableOutput::value) {
    g.cast(nu, float_type, "estimate");
    g.output("estimate", float_type, 1);
    return g.model();
  }
  const std::string p = g.node("Softmax", {logits(g, model, nu)}, {integer("axis", 1)});
  g.node("ArgMax", {p}, {integer("axis", 1), integer("keepdims", 0)}, "label");
  g.cast(p, float_type, "probabilities");
  g.output("label", int64_type, 0);
  g.output("probabilities", float_type, static_cast<std::int64_t>(model.classes.size()));
  return g.model();
}

}  // namespace linkgistic
