// The test of the link in words.
#pragma once

#include <string>

#include <linkgistic/linkgistic_classifier.hpp>

namespace linkgistic {

/// A sentence on the test of the link, or nothing.
std::string link_test_words(const FittedLinkgisticClassifier& fit);

}  // namespace linkgistic
