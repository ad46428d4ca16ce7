// One name for many files: a folder, or a pattern of names.
#pragma once

#include <string>
#include <vector>

namespace linkgistic {

/// The files that `path` names, in the order of the bytes of their names. A file is itself, also "-"; a
/// folder is the files in it, but for those whose names begin with a dot or an underscore (as _SUCCESS does);
/// any other path with * ? or [ is a pattern, as in a shell. An InputError if there is none. A path that is
/// none of these is returned as it is.
std::vector<std::string> files_of(const std::string& path);

}  // namespace linkgistic
