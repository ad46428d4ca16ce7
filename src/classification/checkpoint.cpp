#include "classification/checkpoint.hpp"

#include <filesystem>
#include <utility>

#include <linkgistic/error.hpp>

#include "io/atomic_file.hpp"
#include "model_file/model_file.hpp"
#include "numeric/hash.hpp"

namespace linkgistic {
namespace {

using nlohmann::json;

constexpr const char* format = "linkgistic-checkpoint";
constexpr int file_version = 1;

// What is to be done about a checkpoint that does not belong here.
constexpr const char* advice = "; remove it to begin anew, or name another file";

json parse(const std::string& path) {
  const std::string bytes = read_model_text(path);
  json j = json::from_cbor(bytes, true, false);
  const bool known = j.is_object() && j.value("format", json()) == format && j.contains("identity") &&
                     j.contains("slots") && j["slots"].is_object();
  if (!known) throw InputError(path + ": this is no checkpoint, or it is damaged" + advice);
  if (j.value("version", 0) != file_version) {
    throw InputError(path + ": the checkpoint is of another version of the library" + advice);
  }
  return j;
}

template <class T>
void add_rows(Hash& hash, const DenseRows<T>& rows) {
  hash.add(std::span<const T>(rows.values.data(), rows.rows * rows.columns));
}

template <class T>
void add_rows(Hash& hash, const ViewRows<T>& view) {
  std::vector<float> row(view.columns);
  for (std::size_t i = 0; i < view.rows; ++i) {
    for (std::size_t j = 0; j < view.columns; ++j) row[j] = view.at(i, j);
    hash.add(std::span<const float>(row));
  }
}

void add_rows(Hash& hash, const CsrRows& rows) {
  const auto entries = static_cast<std::size_t>(rows.row_start[rows.rows]);
  hash.add(std::span<const std::int64_t>(rows.row_start.data(), rows.rows + 1));
  hash.add(std::span<const std::int32_t>(rows.column.data(), entries));
  if (rows.value.doubles() != nullptr) {
    hash.add(std::span<const double>(rows.value.doubles(), entries));
  } else {
    hash.add(std::span<const float>(rows.value.floats(), entries));
  }
}

}  // namespace

Checkpoint::Checkpoint(std::string path, json identity)
    : path_(std::move(path)), identity_(std::move(identity)) {
  if (path_.empty() || !std::filesystem::exists(path_)) return;
  if (!std::filesystem::is_regular_file(path_)) {
    throw InputError(path_ + ": this is no ordinary file, and a checkpoint must be one");
  }
  json j = parse(path_);
  const json& other = j["identity"];
  if (other.value("library", json()) != identity_.value("library", json())) {
    throw InputError(path_ + ": the checkpoint is of another version of the library" + advice);
  }
  for (const auto& [name, value] : identity_["options"].items()) {
    const json was = other["options"].value(name, json());
    if (was != value) {
      throw InputError(path_ + ": the checkpoint is of a fit with " + name + " = " + was.dump() +
                       ", and this one has " + value.dump() + advice);
    }
  }
  if (other != identity_) {
    throw InputError(path_ + ": the checkpoint is of other data (rows, labels or weights)" + advice);
  }
  slots_ = std::move(j["slots"]);
}

const json* Checkpoint::find(const std::string& slot) const {
  const auto it = slots_.find(slot);
  return it == slots_.end() ? nullptr : &*it;
}

void Checkpoint::watch(const std::string& slot, std::function<json()> save,
                       const std::function<void(const json&)>& restore) {
  if (!enabled()) return;
  if (const json* found = find(slot)) restore(*found);
  watched_[slot] = std::move(save);
}

void Checkpoint::record(const std::string& slot, const std::function<json()>& value) {
  if (!enabled()) return;
  slots_[slot] = value();
  for (const auto& [name, save] : watched_) slots_[name] = save();
  const json j{{"format", format}, {"version", file_version}, {"identity", identity_}, {"slots", slots_}};
  std::string bytes;
  json::to_cbor(j, bytes);
  write_atomically(path_, bytes);
}

std::uint64_t fingerprint(const ClassificationData& data, std::span<const float> weights) {
  Hash hash;
  const RowMatrix& rows = data.rows.matrix();
  const std::uint64_t shape[] = {rows.storage().index(), rows.rows(), rows.columns()};
  hash.add(std::span<const std::uint64_t>(shape));
  std::visit([&](const auto& storage) { add_rows(hash, storage); }, rows.storage());
  hash.add(std::span<const double>(data.rows.origin()));
  hash.add(std::span<const std::int32_t>(data.labels));
  hash.add(weights);
  for (const RowPart& part : data.parts) {
    hash.add(std::span<const std::size_t>(part.train));
    hash.add(std::span<const std::size_t>(part.held_out));
  }
  for (const auto* names : {&data.class_names, &data.feature_names}) {
    for (const std::string& name : *names) hash.add(name.data(), name.size());
  }
  return hash.value();
}

}  // namespace linkgistic
