#include "io/data_sets.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

namespace linkgistic {
namespace {

constexpr const char* train_images = "train-images-idx3-ubyte.gz";
constexpr const char* train_labels = "train-labels-idx1-ubyte.gz";
constexpr const char* test_images = "t10k-images-idx3-ubyte.gz";
constexpr const char* test_labels = "t10k-labels-idx1-ubyte.gz";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

const std::vector<DataSet>& data_sets() {
  static const std::vector<DataSet> sets{
      {"auto-mpg",
       "398 cars: miles a gallon and seven features (UCI Machine Learning Repository, as CSV)",
       "CC BY 4.0",
       {},
       {{"auto-mpg.csv", 20391, "062a829e3d1c17d05a25ad72bce07c9830a17a96e0d2f49c6ef99b9e5827d0dc"}}},
      {"mnist",
       "70,000 handwritten digits of 28 x 28 pixels (LeCun, Cortes and Burges)",
       "CC BY-SA 3.0",
       {"https://storage.googleapis.com/cvdf-datasets/mnist/",
        "https://ossci-datasets.s3.amazonaws.com/mnist/"},
       {{train_images, 9912422, "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
        {train_labels, 28881, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
        {test_images, 1648877, "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
        {test_labels, 4542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"}}},
      {"fmnist",
       "70,000 pictures of clothes of 28 x 28 pixels: Fashion-MNIST (Xiao, Rasul and Vollgraf)",
       "MIT",
       {"http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"},
       {{train_images, 26421880, "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"},
        {train_labels, 29515, "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845"},
        {test_images, 4422102, "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"},
        {test_labels, 5148, "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"}}},
      // Sizes and sums as TensorFlow Datasets has them: tensorflow_datasets/url_checksums/kmnist.txt.
      {"kmnist",
       "70,000 cursive Japanese characters of 28 x 28 pixels: Kuzushiji-MNIST (Clanuwat and others, CODH)",
       "CC BY-SA 4.0",
       {"http://codh.rois.ac.jp/kmnist/dataset/kmnist/"},
       {{train_images, 18165135, "51467d22d8cc72929e2a028a0428f2086b092bb31cfb79c69cc0a90ce135fde4"},
        {train_labels, 29497, "e38f9ebcd0f3ebcdec7fc8eabdcdaef93bb0df8ea12bee65224341c8183d8e17"},
        {test_images, 3041136, "edd7a857845ad6bb1d0ba43fe7e794d164fe2dce499a1694695a792adfac43c5"},
        {test_labels, 5120, "20bb9a0ef54c7db3efc55a92eef5582c109615df22683c380526788f98e42a1c"}}}};
  return sets;
}

const DataSet& data_set(const std::string& name) {
  for (const DataSet& set : data_sets())
    if (set.name == name) return set;
  throw UsageError("there is no data set '" + name + "'; there are " +
                   joined(data_sets(), ", ", [](const DataSet& set) { return set.name; }));
}

std::string data_folder() {
  if (const std::string local = environment("LINKGISTIC_DATA"); !local.empty()) return local;
  if (const std::string cache = environment("XDG_CACHE_HOME"); !cache.empty()) return cache + "/linkgistic";
  if (const std::string home = environment("HOME"); !home.empty()) return home + "/.cache/linkgistic";
  throw InputError("no folder for data: set LINKGISTIC_DATA, XDG_CACHE_HOME or HOME");
}

std::string data_path(const std::string& folder, const DataSet& set, const DataFile& file) {
  return (std::filesystem::path(folder) / set.name / file.name).string();
}

bool is_present(const std::string& folder, const DataSet& set, const DataFile& file) {
  std::error_code error;
  return std::filesystem::file_size(data_path(folder, set, file), error) == file.bytes && !error;
}

}  // namespace linkgistic
