// The learned loss.
#include <tuple>

#include <linkgistic/learned_loss.hpp>

#include "bindings.hpp"

namespace linkgistic::python {
namespace {

// (value, gradient, curvature) of every row.
nb::tuple at(const LearnedLoss& loss, const ByteArray& y, const DoubleArray& x) {
  std::vector<double> value(x.size()), gradient(x.size()), curvature(x.size());
  {
    const nb::gil_scoped_release others;
    loss.at(values(y), values(x), value, gradient, curvature);
  }
  return nb::make_tuple(to_numpy(std::move(value)), to_numpy(std::move(gradient)),
                        to_numpy(std::move(curvature)));
}

// A function of one number at each of many.
template <double (LearnedLoss::*method)(double) const>
Numbers each(const LearnedLoss& loss, const DoubleArray& x) {
  std::vector<double> result;
  result.reserve(x.size());
  for (const double one : values(x)) result.push_back((loss.*method)(one));
  return to_numpy(std::move(result));
}

nb::tuple source(const LearnedLoss& loss, const DoubleArray& x) {
  std::vector<double> nu, first, second;
  for (const double one : values(x)) {
    const LearnedLoss::SourceValues v = loss.source(one);
    nu.push_back(v.value);
    first.push_back(v.first);
    second.push_back(v.second);
  }
  return nb::make_tuple(to_numpy(std::move(nu)), to_numpy(std::move(first)), to_numpy(std::move(second)));
}

}  // namespace

void add_learned_loss(nb::module_& m) {
  using Loss = LearnedLoss;
  nb::class_<Loss> type(m, "LearnedLoss", "A proper loss with a learned link.");
  type.def_static("canonical", &Loss::canonical, nb::arg("base") = "log")
      .def("at", &at, nb::arg("y"), nb::arg("x"))
      .def("information", &each<&Loss::information>, nb::arg("x"))
      .def("inverse_link", &each<&Loss::inverse_link>, nb::arg("x"))
      .def("log_odds", &each<&Loss::log_odds>, nb::arg("x"))
      .def("link", &each<&Loss::link>, nb::arg("u"))
      .def("weight", &each<&Loss::weight>, nb::arg("u"))
      .def("source", &source, nb::arg("x"))
      .def_prop_ro("increasing", &Loss::increasing)
      .def_prop_ro("lipschitz_bound", &Loss::lipschitz_bound)
      .def_prop_ro("margin_lipschitz_bound", &Loss::margin_lipschitz_bound)
      .def("lipschitz_on", &Loss::lipschitz_on, nb::arg("lower"), nb::arg("upper"))
      .def_prop_ro("base", &Loss::base)
      .def_prop_ro("score_lower", &Loss::score_lower)
      .def_prop_ro("score_upper", &Loss::score_upper);
  add_model_file(type);
}

}  // namespace linkgistic::python
