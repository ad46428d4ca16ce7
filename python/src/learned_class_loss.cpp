// The learned loss of many classes.
#include <linkgistic/learned_class_loss.hpp>

#include "bindings.hpp"

namespace linkgistic::python {
namespace {

using Loss = LearnedClassLoss;

// (value (N), gradient (N, C), hessian (N, C * C) or None) of every row.
nb::tuple at(const Loss& loss, const LabelArray& labels, const DoubleArray& scores, bool hessian) {
  const std::size_t classes = loss.class_names().size();
  std::vector<double> value(labels.size()), gradient(scores.size());
  std::vector<double> second(hessian ? scores.size() * classes : 0);
  {
    const nb::gil_scoped_release others;
    loss.at(values(labels), values(scores), value, gradient, second);
  }
  nb::object square = nb::none();
  if (hessian) square = nb::cast(to_numpy(std::move(second), classes * classes));
  return nb::make_tuple(to_numpy(std::move(value)), to_numpy(std::move(gradient), classes), square);
}

// (N, C) of (N, C).
template <std::vector<double> (Loss::*method)(std::span<const double>) const>
Numbers table(const Loss& loss, const DoubleArray& x) {
  std::vector<double> result;
  {
    const nb::gil_scoped_release others;
    result = (loss.*method)(values(x));
  }
  return to_numpy(std::move(result), loss.class_names().size());
}

nb::tuple source(const Loss& loss, std::size_t label, const DoubleArray& x) {
  std::vector<double> nu, first, second;
  for (const double one : values(x)) {
    const LearnedLoss::SourceValues v = loss.source(label, one);
    nu.push_back(v.value);
    first.push_back(v.first);
    second.push_back(v.second);
  }
  return nb::make_tuple(to_numpy(std::move(nu)), to_numpy(std::move(first)), to_numpy(std::move(second)));
}

}  // namespace

void add_learned_class_loss(nb::module_& m) {
  nb::class_<Loss> type(m, "LearnedClassLoss", "The loss of a softmax over learned links.");
  type.def_static("canonical", &Loss::canonical, nb::arg("class_names"))
      .def("at", &at, nb::arg("labels"), nb::arg("scores"), nb::arg("hessian") = false)
      .def("information", &table<&Loss::information>, nb::arg("scores"))
      .def("probability", &table<&Loss::probability>, nb::arg("scores"))
      .def("log_probability", &table<&Loss::log_probability>, nb::arg("scores"))
      .def("link", &table<&Loss::link>, nb::arg("probability"))
      .def("source", &source, nb::arg("label"), nb::arg("x"))
      .def_prop_ro("class_names", &Loss::class_names)
      .def("score_lower", &Loss::score_lower, nb::arg("label"))
      .def("score_upper", &Loss::score_upper, nb::arg("label"));
  add_model_file(type);
}

}  // namespace linkgistic::python
