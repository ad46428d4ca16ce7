// Labels from a file of their own.
#pragma once

#include <cstddef>
#include <string>

#include "table/labels.hpp"
#include "table/missing_words.hpp"

namespace linkgistic {

/// Reads the labels of the `rows` rows of the file `rows_name`: an IDX file with one number per item, a table
/// of one column (NPY), or text with one label a line, with or without a header that is not itself a label.
/// Throws an InputError that names both files for another number of labels.
LabelColumn read_labels(const std::string& path, std::size_t rows, const std::string& rows_name,
                        const MissingWords& missing);

}  // namespace linkgistic
