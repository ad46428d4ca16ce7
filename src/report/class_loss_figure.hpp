// Pictures of a learned loss of many classes.
#pragma once

#include <string>

#include <linkgistic/learned_class_loss.hpp>

#include "report/figure/figure.hpp"

namespace linkgistic {

/// `what` is one of
/// - link: what each link adds to the straight one, nu_k less the line of its mean slope, against the score
///   about its middle, with the mean of all, which stands for the part that they share;
/// - source: nu_k themselves, with their mean;
/// - loss: the loss of each class as its own score moves and the others stay where all are as probable.
/// The first classes have colours and names, the others are thin. Throws a UsageError for another word.
Figure class_loss_figure(const LearnedClassLoss& loss, const std::string& what);

}  // namespace linkgistic
