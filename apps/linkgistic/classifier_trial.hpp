// A classifier held against rows whose classes are known.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include <linkgistic/dataset.hpp>
#include <linkgistic/error.hpp>

#include "report/classifier_page.hpp"
#include "rows/row_matrix.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {

/// work(rows, number of the first) for consecutive rows.
template <class Work>
void for_blocks(const Dataset& data, const Work& work) {
  for (std::size_t first = 0; first < data.rows.rows(); first += rows_per_block) {
    std::vector<std::size_t> which(std::min(rows_per_block, data.rows.rows() - first));
    std::iota(which.begin(), which.end(), first);
    work(FeatureRows(take_rows(data.rows.matrix(), which), data.rows.origin()), first);
  }
}

/// What the model says of the rows, and how good that is: of the classes together, and the mean over classes
/// taken one against the rest.
ClassifierTrial judge(const FittedLinkgisticClassifier& fit, const Dataset& data);

}  // namespace linkgistic
