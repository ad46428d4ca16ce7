// Settings of the fits next to the paper's, each read from the options that the fits have.
#pragma once

#include <linkgistic/monotone_regression.hpp>

#include "report/page.hpp"
#include "repro/printed_linkgistic.hpp"
#include "repro/printed_regression.hpp"

namespace linkgistic::repro {

PageTable regression_settings(const PrintedRegressionOptions& printed, const MonotoneRegressionOptions& ours);
PageTable linkgistic_settings(const PrintedLinkgisticOptions& printed, const LinkgisticOptions& ours,
                              const std::string& ridge_of_ours);

}  // namespace linkgistic::repro
