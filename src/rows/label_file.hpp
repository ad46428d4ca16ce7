// Labels from a file of their own.
#pragma once

#include <cstddef>
#include <string>

#include "table/labels.hpp"
#include "table/missing_words.hpp"

namespace linkgistic {

/// The labels of `rows` rows of the file `rows_name`: an IDX file of one number an item, a table of one
/// column (NPY), or text with one label a line, a header that is not one of them allowed above them. Another
/// count is an InputError that names both files.
LabelColumn read_labels(const std::string& path, std::size_t rows, const std::string& rows_name,
                        const MissingWords& missing);

}  // namespace linkgistic
