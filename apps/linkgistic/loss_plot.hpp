// plot --what loss|link|source|weight: the learned loss in a model file.
#pragma once

#include <string>
#include <vector>

namespace linkgistic {

/// The words of --what that are about a learned loss.
inline const std::vector<std::string> loss_pictures{"loss", "link", "source", "weight"};

/// Draws the learned loss of a classifier's file, for the score of `class_name` (empty: the only one, or the
/// first), or of a file that has nothing else. An InputError for a model that has none.
void plot_loss(const std::string& model, const std::string& what, const std::string& class_name,
               const std::string& output);

}  // namespace linkgistic
