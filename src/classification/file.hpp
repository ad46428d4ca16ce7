// A fitted classifier and a learned loss from their files.
#pragma once

#include <linkgistic/learned_loss.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

namespace linkgistic {

struct ModelFile;

/// The model of a parsed file; an InputError where it is of another kind or damaged.
FittedLinkgisticClassifier classifier_from(const ModelFile& file);
LearnedLoss learned_loss_from(const ModelFile& file);
LearnedClassLoss learned_class_loss_from(const ModelFile& file);

}  // namespace linkgistic
