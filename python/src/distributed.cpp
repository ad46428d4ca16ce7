// Rows that other processes hold: pieces that answer requests, merges of answers, and fits that ask.
#include <algorithm>
#include <memory>
#include <utility>

#include <nanobind/stl/unique_ptr.h>

#include <linkgistic/calibrator.hpp>
#include <linkgistic/linkgistic_classifier.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "arrow.hpp"
#include "bindings.hpp"
#include "calibration/fit.hpp"
#include "calibration/options.hpp"
#include "classification/checkpoint.hpp"
#include "classification/options.hpp"
#include "classification/piece.hpp"
#include "classification/weights.hpp"
#include "engine/partitions.hpp"
#include "engine/score_sums.hpp"
#include "engine/score_wire.hpp"
#include "fields.hpp"
#include "numeric/hash.hpp"
#include "progress.hpp"
#include "regression/fit.hpp"
#include "regression/options.hpp"
#include "regression/wire.hpp"
#include "response/responses.hpp"
#include "rows.hpp"
#include "table/row_stream.hpp"
#include "text/names.hpp"

namespace linkgistic::python {
namespace {

using CountArray = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Shape = std::tuple<std::size_t, std::size_t, std::size_t, bool, std::size_t>;

nb::bytes to_python(const std::string& text) { return nb::bytes(text.data(), text.size()); }
std::string_view text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
std::vector<std::string> texts_of(const std::vector<nb::bytes>& messages) {
  std::vector<std::string> texts;
  for (const nb::bytes& message : messages) texts.emplace_back(text_of(message));
  return texts;
}
std::span<const std::uint64_t> counts(const CountArray& array) { return {array.data(), array.size()}; }
std::vector<std::size_t> sizes(const CountArray& array) {
  return {array.data(), array.data() + array.size()};
}

RowsShape shape_of(const Shape& given) {
  const auto& [rows, columns, entries, sparse, labels] = given;
  return {rows, columns, entries, sparse, static_cast<std::uint32_t>(labels)};
}

// f() without the interpreter's lock.
template <class Function>
auto unlocked(const Function& f) {
  const nb::gil_scoped_release others;
  return f();
}

// Python's callable that sends a request to all pieces.
Ask ask_of(const nb::object& callable) {
  return [&callable](const std::string& request) {
    const nb::gil_scoped_acquire python;
    return std::string(text_of(nb::cast<nb::bytes>(callable(to_python(request)))));
  };
}

std::vector<float> singles(const std::optional<DoubleArray>& weights) {
  const auto w = values(weights);
  return {w.begin(), w.end()};
}

std::unique_ptr<ClassifierPiece> make_piece(const nb::bytes& plan, std::uint64_t first_row,
                                            const CountArray& first_ranks, nb::handle x,
                                            const LabelArray& labels,
                                            const std::optional<DoubleArray>& weights, int threads) {
  return std::make_unique<ClassifierPiece>(
      from_bytes<ClassifierPlan>(text_of(plan)), first_row, counts(first_ranks), row_matrix(x),
      std::vector<std::int32_t>(labels.data(), labels.data() + labels.size()), singles(weights), threads);
}

nb::bytes sums_of_piece(std::uint64_t first_row, nb::handle x, const LabelArray& labels,
                        const std::optional<DoubleArray>& weights, const DoubleArray& factors, int threads) {
  std::vector<float> weighed = singles(weights);
  weigh_classes(values(factors), values(labels), weighed);
  const RowMatrix rows = row_matrix(x);
  return to_python(unlocked([&] {
    return message_of(piece_sums(first_row, rows, values(labels), weighed, factors.size(), threads));
  }));
}

std::pair<FittedLinkgisticClassifier, bool> fit_classifier_by(
    const nb::bytes& plan_bytes, const CountArray& class_rows, const std::vector<std::string>& class_names,
    const std::vector<std::string>& feature_names, const std::optional<nb::bytes>& encoding,
    const std::optional<DoubleArray>& medians, const DoubleArray& totals, std::size_t rows, bool bytes,
    const DoubleArray& pivot, const nb::dict& given, const nb::object& ask, const nb::object& on_progress) {
  auto options = read_options<LinkgisticOptions>(given);
  FitWatch watch(on_progress);
  watch.attach(options);
  options.validate();
  const auto plan = from_bytes<ClassifierPlan>(text_of(plan_bytes));
  TrainingFacts facts;
  facts.class_names = class_names;
  facts.feature_names = feature_names;
  if (encoding) {
    facts.encoding = encoding_from(text_of(*encoding));
    facts.feature_names = facts.encoding.feature_names();
  }
  for (const std::string& name : encoding ? std::vector<std::string>() : feature_names)
    facts.encoding.columns.emplace_back().name = name;
  std::size_t numbers = 0;
  for (ColumnEncoding& column : facts.encoding.columns)
    if (medians && !column.text) column.median = values(*medians)[numbers++];
  facts.totals.assign(totals.data(), totals.data() + totals.size());
  check_totals(facts.totals, class_names);
  facts.rows = rows;
  facts.bytes = bytes;
  facts.origin = plan.origin;
  facts.pivot.assign(pivot.data(), pivot.data() + pivot.size());
  set_parts(plan, sizes(class_rows), facts);
  const std::unique_ptr<RowEngine> engine = make_remote_engine(plan.shape, ask_of(ask));
  // The rows are elsewhere: the plan, which has sums over them, tells them apart.
  Hash hash;
  for (const std::string& text : {to_bytes(plan), to_bytes(facts.totals), to_bytes(facts.pivot)})
    hash.add(text.data(), text.size());
  const auto log = open_log(hash.value(), plan.shape.entries * sizeof(float), options);
  return watch.run([&] { return fit_by_engine(facts, *engine, options, log.get(), [](std::size_t) {}); });
}

// The rows of a piece, which live as long as Python's arrays do.
struct ColumnPiece {
  std::uint64_t first_row;
  DoubleArray x;
  DoubleArray y;
  std::optional<DoubleArray> weight, offset, exposure, trials;

  [[nodiscard]] RowBlock block() const {
    return {values(x), values(y), values(weight), values(offset), values(exposure), values(trials)};
  }
};
struct ScorePiece {
  std::uint64_t first_row;
  DoubleArray scores;
  ByteArray labels;
  std::optional<DoubleArray> weight;
};

}  // namespace

void add_distributed(nb::module_& m) {
  m.attr("few_rows") = few_rows;
  m.attr("regression_block_rows") = rows_per_block;
  m.attr("score_block_rows") = score_block_rows;
  m.def("classifier_block_rows", [](const Shape& shape) { return Grid(shape_of(shape)).block_rows(); });
  m.def("class_factors",
        [](const std::vector<std::string>& names, const DoubleArray& totals, const nb::dict& given) {
          check_totals(values(totals), names);
          return to_numpy(class_factors(names, values(totals), read_options<LinkgisticOptions>(given)));
        });
  m.def("classifier_plan", [](const Shape& shape, const CountArray& class_rows, const DoubleArray& factors,
                              const DoubleArray& origin, const nb::dict& given) {
    return to_python(to_bytes(plan_classifier(
        shape_of(shape), sizes(class_rows), {factors.data(), factors.data() + factors.size()},
        {origin.data(), origin.data() + origin.size()}, read_options<LinkgisticOptions>(given))));
  });
  m.def("piece_sums", &sums_of_piece, nb::arg("first_row"), nb::arg("x"), nb::arg("labels"),
        nb::arg("weights").none(), nb::arg("factors"), nb::arg("threads"));
  m.def("merge_sums", [](const std::vector<nb::bytes>& messages) {
    return to_python(message_of(merged_sums(nodes_of<std::vector<double>>(texts_of(messages)))));
  });
  m.def("total_sums", [](const nb::bytes& message) {
    return to_numpy(total_sum(nodes_of<std::vector<double>>({std::string(text_of(message))}), 0));
  });
  nb::class_<ClassifierPiece>(m, "ClassifierPiece", "Rows of a classifier that answer requests.")
      .def(nb::new_(&make_piece), nb::arg("plan"), nb::arg("first_row"), nb::arg("first_ranks"), nb::arg("x"),
           nb::arg("labels"), nb::arg("weights").none(), nb::arg("threads"))
      .def("answer", [](ClassifierPiece& piece, const nb::bytes& request) {
        const std::string_view asked = text_of(request);
        return to_python(unlocked([&] { return piece.answer(asked); }));
      });
  m.def("merge_answers", [](const std::vector<nb::bytes>& messages) {
    const std::vector<std::string> texts = texts_of(messages);
    return to_python(unlocked([&] { return merge_answer_messages(texts); }));
  });
  m.def("fit_classifier_by", &fit_classifier_by, nb::arg("plan"), nb::arg("class_rows"),
        nb::arg("class_names"), nb::arg("feature_names"), nb::arg("encoding").none(),
        nb::arg("medians").none(), nb::arg("totals"), nb::arg("rows"), nb::arg("bytes"), nb::arg("pivot"),
        nb::arg("options"), nb::arg("ask"), nb::arg("on_progress").none());

  nb::class_<ColumnPiece>(m, "RegressionPiece", "Rows of a regression that answer requests.")
      .def(nb::new_([](std::uint64_t first_row, DoubleArray x, DoubleArray y,
                       std::optional<DoubleArray> weight, std::optional<DoubleArray> offset,
                       std::optional<DoubleArray> exposure, std::optional<DoubleArray> trials) {
             return std::make_unique<ColumnPiece>(ColumnPiece{first_row, std::move(x), std::move(y),
                                                              std::move(weight), std::move(offset),
                                                              std::move(exposure), std::move(trials)});
           }),
           nb::arg("first_row"), nb::arg("x"), nb::arg("y"), nb::arg("weight").none() = nb::none(),
           nb::arg("offset").none() = nb::none(), nb::arg("exposure").none() = nb::none(),
           nb::arg("trials").none() = nb::none())
      .def("answer",
           [](const ColumnPiece& piece, const nb::bytes& request, const std::string& response, int threads) {
             const RegressionPieceRows rows{piece.first_row, piece.block()};
             const std::string_view asked = text_of(request);
             return to_python(unlocked(
                 [&] { return answer_regression(rows, *named_response(response), asked, threads); }));
           });
  m.def("merge_regression_answers", [](const std::vector<nb::bytes>& messages) {
    return to_python(merge_regression_answers(texts_of(messages)));
  });
  m.def(
      "fit_regression_by",
      [](const nb::dict& given, const nb::object& ask, const nb::object& on_progress) {
        auto options = read_options<MonotoneRegressionOptions>(given);
        FitWatch watch(on_progress);
        watch.attach(options);
        options.validate();
        const auto engine = make_remote_regression(ask_of(ask));
        return watch.run([&] {
          return FittedMonotoneRegression(fit_regression(options, regression_response(options), *engine));
        });
      },
      nb::arg("options"), nb::arg("ask"), nb::arg("on_progress").none());

  nb::class_<ScorePiece>(m, "ScorePiece", "Labelled scores that answer requests.")
      .def(nb::new_([](std::uint64_t first_row, DoubleArray scores, ByteArray labels,
                       std::optional<DoubleArray> weight) {
             return std::make_unique<ScorePiece>(
                 ScorePiece{first_row, std::move(scores), std::move(labels), std::move(weight)});
           }),
           nb::arg("first_row"), nb::arg("scores"), nb::arg("labels"), nb::arg("weight").none())
      .def("answer", [](const ScorePiece& piece, const nb::bytes& request) {
        const LabelledScores rows{values(piece.scores), values(piece.labels), values(piece.weight)};
        const std::string_view asked = text_of(request);
        return to_python(unlocked([&] { return answer_scores(rows, piece.first_row, asked); }));
      });
  m.def("merge_score_answers", [](const std::vector<nb::bytes>& messages) {
    return to_python(merge_score_answers(texts_of(messages)));
  });
  m.def(
      "fit_calibrator_by",
      [](const nb::dict& given, const nb::object& ask) {
        auto options = read_options<ClassCalibratorOptions>(given);
        options.map.seed = options.seed;
        options.validate();
        const auto engine = make_remote_scores(ask_of(ask));
        return unlocked([&] { return fit_calibrator(options.map, {}, *engine); });
      },
      nb::arg("options"), nb::arg("ask"));

  nb::class_<ScoreSums>(m, "ScoreSums", "Labelled scores that come in batches, kept as their sums.")
      .def(nb::init<>())
      .def(
          "add",
          [](ScoreSums& sums, const DoubleArray& scores, const ByteArray& labels,
             const std::optional<DoubleArray>& weight) {
            sums.add({values(scores), values(labels), values(weight)});
          },
          nb::arg("scores"), nb::arg("labels"), nb::arg("weight").none())
      .def("fit",
           [](ScoreSums& sums, const nb::dict& given) {
             auto options = read_options<ClassCalibratorOptions>(given);
             options.map.seed = options.seed;
             options.validate();
             return unlocked([&] { return fit_calibrator(options.map, {}, sums); });
           })
      .def("__copy__", [](const ScoreSums& sums) { return ScoreSums(sums); })
      .def("__getstate__", [](ScoreSums& sums) { return to_python(to_bytes(sums)); })
      .def("__setstate__", [](ScoreSums& sums, const nb::bytes& state) {
        new (&sums) ScoreSums(from_bytes<ScoreSums>(text_of(state)));
      });
}

}  // namespace linkgistic::python
