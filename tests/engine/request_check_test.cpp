// Requests of other processes are checked before they are answered: what a fit asks passes, what does not fit
// the rows is an error.
#include "engine/request_check.hpp"

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "engine/engine_cases.hpp"
#include "engine/reference_engine.hpp"

namespace linkgistic {
namespace {

TEST(RequestCheck, TakesWhatAFitAsks) {
  for (const Storage storage : {Storage::bytes, Storage::floats, Storage::sparse}) {
    const Data data = make_data(storage, 300, true);
    const auto reference = make_reference_engine(data.engine_rows());
    for (const Request& request : all_requests(data, *reference))
      EXPECT_NO_THROW(check_request(request, reference->shape(), data.parts.size())) << request.index();
    // The greatest value alone needs no labels.
    SummaryRequest greatest;
    greatest.greatest = true;
    EXPECT_NO_THROW(check_request(greatest, reference->shape(), data.parts.size()));
  }
}

TEST(RequestCheck, RefusesWhatDoesNotFitTheRows) {
  const Data data = make_data(Storage::floats, 300, true);
  const auto reference = make_reference_engine(data.engine_rows());
  const auto refused = [&](const Request& request) {
    EXPECT_THROW(check_request(request, reference->shape(), data.parts.size()), InputError);
  };
  SummaryRequest few_labels{{Selection{}}, 1, {}, false};
  refused(few_labels);
  SummaryRequest other_part{{Selection{Selection::Rows::train, 9}}, 3, {}, false};
  refused(other_part);
  SummaryRequest narrow_pivot{{Selection{}}, 3, {1.0}, false};
  refused(narrow_pivot);
}

}  // namespace
}  // namespace linkgistic
