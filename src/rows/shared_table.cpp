#include "rows/shared_table.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <span>
#include <tuple>
#include <unordered_map>

#include <linkgistic/error.hpp>

#include "io/sparse_memory.hpp"
#include "numeric/bytes.hpp"
#include "numeric/hash.hpp"
#include "numeric/tree_sum.hpp"
#include "rows/column_facts.hpp"
#include "rows/column_median.hpp"
#include "rows/encoded_features.hpp"
#include "text/message.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

// What a process tells of its rows: labels, weights, and the first rows, which another may answer for.
struct PartMessage {
  std::vector<std::string> names;
  std::vector<std::int32_t> codes;
  std::vector<double> weights;
  std::vector<double> head;

  auto fields() { return std::tie(names, codes, weights, head); }
};

struct NodeMessage {
  std::uint32_t level = 0;
  std::uint64_t index = 0;
  std::vector<double> value;

  auto fields() { return std::tie(level, index, value); }
};

class SharedReader {
 public:
  SharedReader(Table& table, const ColumnRoles& roles, const DatasetOptions& options, std::size_t piece_rows,
               std::size_t few, Readers& readers)
      : table_(table),
        roles_(roles),
        options_(options),
        piece_rows_(piece_rows),
        few_(few),
        readers_(readers) {}

  SharedTable read() {
    learn();
    read_part();
    find_means();
    store();
    find_medians();
    if (readers_.begin_hash) hash_rows();
    readers_.share = share_;
    return std::move(result_);
  }

 private:
  // The messages of all, or the error of the first process that has one.
  template <class Work>
  std::vector<std::string> collect(const Work& work) {
    std::string own;
    try {
      own = "+" + work();
    } catch (const InputError& error) {
      own = std::string("-") + error.what();
    }
    std::vector<std::string> all = readers_.all(own);
    for (std::string& message : all) {
      if (message.front() == '-') throw InputError(message.substr(1));
      message.erase(0, 1);
    }
    return all;
  }

  template <class Read>
  TableFacts facts_of_all(const Read& read, std::vector<std::size_t>* rows) {
    TableFacts all;
    bool first = true;
    for (const std::string& message : collect([&] { return to_bytes(read()); })) {
      auto own = from_bytes<TableFacts>(message);
      if (rows != nullptr) rows->push_back(own.rows);
      if (first) {
        all = std::move(own);
      } else {
        join_facts(all, own);
      }
      first = false;
    }
    return all;
  }

  void learn() {
    std::vector<std::size_t> rows;
    TableFacts facts = facts_of_all([&] { return read_column_facts(table_, roles_, options_); }, &rows);
    if (facts.rows == 0) refuse_no_rows(table_.name(), 0);
    table_.rewind();
    if (needs_texts(facts)) {
      join_facts(facts,
                 facts_of_all([&] { return read_texts(table_, roles_, options_.missing, facts); }, nullptr));
      table_.rewind();
    }
    result_.encoding = encoding_of(facts, table_.name(), result_.notes);
    width_ = result_.encoding.width();
    starts_ = {0};
    for (const std::size_t own : rows) starts_.push_back(starts_.back() + own);
  }

  [[nodiscard]] std::size_t rows() const { return starts_.back(); }
  [[nodiscard]] std::size_t start() const { return starts_[readers_.number()]; }
  [[nodiscard]] std::size_t end() const { return starts_[readers_.number() + 1]; }
  // Where the piece begins that a process answers for.
  [[nodiscard]] std::size_t piece_start(std::size_t process) const {
    return std::min((starts_[process] + piece_rows_ - 1) / piece_rows_ * piece_rows_, rows());
  }
  // The rows of a process that others need: those before its piece, and the first of all.
  [[nodiscard]] std::size_t head_rows(std::size_t process) const {
    const std::size_t own = starts_[process + 1] - starts_[process];
    if (rows() <= few_) return own;
    const std::size_t before = starts_[process] == 0 ? 1 : piece_start(process) - starts_[process];
    return std::min(own, before);
  }

  void read_part() {
    const auto messages = collect([&] {
      part_.emplace(encode_part(table_, roles_, result_.encoding, options_.memory_budget));
      if (part_->rows != end() - start())
        throw InputError(table_.name() + ": the rows changed while they were read");
      const double* values = part_->values.data();
      const std::size_t head = head_rows(readers_.number()) * width_;
      return to_bytes(
          PartMessage{part_->labels.names, part_->labels.codes, part_->weights,
                      head == 0 ? std::vector<double>() : std::vector<double>(values, values + head)});
    });
    std::unordered_map<std::string, std::int32_t> known;
    LabelColumn& labels = result_.labels;
    for (const std::string& message : messages) {
      auto own = from_bytes<PartMessage>(message);
      std::vector<std::int32_t> code;
      for (const std::string& name : own.names) {
        const auto [place, is_new] = known.emplace(name, static_cast<std::int32_t>(labels.names.size()));
        if (is_new) labels.names.push_back(name);
        code.push_back(place->second);
      }
      for (const std::int32_t c : own.codes) labels.codes.push_back(code[static_cast<std::size_t>(c)]);
      result_.weights.insert(result_.weights.end(), own.weights.begin(), own.weights.end());
      heads_.push_back(std::move(own.head));
    }
    share_.rows = rows();
    share_.first = piece_start(readers_.number());
    share_.last = readers_.number() + 1 < readers_.count() ? piece_start(readers_.number() + 1) : rows();
  }

  // A row of the own part, or of what others have told.
  [[nodiscard]] const double* row(std::size_t n) const {
    if (n >= start() && n < end()) return part_->values.data() + (n - start()) * width_;
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), n);
    const auto process = static_cast<std::size_t>(next - starts_.begin()) - 1;
    return heads_[process].data() + (n - starts_[process]) * width_;
  }

  // As learn_encoding has them.
  void find_means() {
    const SumNodes own = sums_of_rows(share_.last - share_.first, share_.first / sum_leaf_rows, width_,
                                      [&](std::size_t i, std::span<double> sum) {
                                        const double* values = row(share_.first + i);
                                        for (std::size_t j = 0; j < width_; ++j) sum[j] += values[j];
                                      });
    std::vector<NodeMessage> sent;
    for (const auto& node : own) sent.push_back({node.level, node.index, node.value});
    SumNodes nodes;
    for (const std::string& message : readers_.all(to_bytes(sent)))
      for (auto& node : from_bytes<std::vector<NodeMessage>>(message))
        nodes.push_back({node.level, node.index, std::move(node.value)});
    const std::vector<double> total = total_sum(std::move(nodes), width_);
    for (const ColumnEncoding& column : result_.encoding.columns) {
      for (std::size_t k = 0; k < column.width(); ++k) {
        const std::size_t j = result_.origin.size();
        result_.origin.push_back(column.text ? 0.0 : total[j] / static_cast<double>(rows()));
      }
    }
  }

  void store() {
    const std::size_t row_bytes = width_ * sizeof(float);
    const auto memory = sparse_memory(rows() * row_bytes, share_.first * row_bytes, share_.last * row_bytes,
                                      options_.memory_budget);
    auto* const values = reinterpret_cast<float*>(memory.get());
    collect([&] {
      for (std::size_t n = share_.first; n < share_.last; ++n) store_row(n, values + n * width_);
      for (std::size_t process = 0; process < readers_.count(); ++process)
        for (std::size_t n = starts_[process]; n < starts_[process] + head_rows(process); ++n)
          store_row(n, values + n * width_);
      return std::string();
    });
    result_.rows = RowMatrix(DenseRows<float>{
        rows(), width_, SharedSpan<float>(memory, std::span<const float>(values, rows() * width_))});
    part_.reset();
    heads_.clear();
  }

  // Of a row that is here.
  [[nodiscard]] const float* stored(std::size_t n) const {
    return std::get<DenseRows<float>>(result_.rows.storage()).values.data() + n * width_;
  }

  void store_row(std::size_t n, float* out) const {
    const double* const values = row(n);
    for (std::size_t j = 0; j < width_; ++j) {
      const double stored = values[j] - result_.origin[j];
      if (!(std::abs(stored) <= double{std::numeric_limits<float>::max()}))
        throw InputError(table_.name() + ": row " + std::to_string(n + 1) + ": " + shortest(values[j]) +
                         " is too large for single precision");
      out[j] = static_cast<float>(stored);
    }
  }

  // As the encoder of a whole table has them: of evenly spaced rows, some columns at a time.
  void find_medians() {
    constexpr std::size_t values_told = std::size_t{1} << 22;
    const std::size_t step = std::max<std::size_t>(1, (rows() + median_rows - 1) / median_rows);
    const std::size_t used = (rows() + step - 1) / step;
    std::vector<ColumnEncoding*> columns;
    std::vector<std::size_t> features;
    std::size_t feature = 0;
    for (ColumnEncoding& column : result_.encoding.columns) {
      if (!column.text) {
        columns.push_back(&column);
        features.push_back(feature);
      }
      feature += column.width();
    }
    const std::size_t together = std::max<std::size_t>(1, values_told / used);
    for (std::size_t first = 0; first < features.size(); first += together) {
      const auto some = std::span(features).subspan(first, std::min(together, features.size() - first));
      std::vector<float> own;
      for (std::size_t n = (start() + step - 1) / step * step; n < end(); n += step)
        for (const std::size_t j : some) own.push_back(stored(n)[j]);
      std::vector<float> all;
      for (const std::string& message : readers_.all(to_bytes(own))) {
        const auto theirs = from_bytes<std::vector<float>>(message);
        all.insert(all.end(), theirs.begin(), theirs.end());
      }
      std::vector<std::size_t> places(some.size());
      for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
      const std::vector<double> medians = column_medians(std::span<const float>(all), some.size(), places);
      for (std::size_t i = 0; i < some.size(); ++i)
        columns[first + i]->median = result_.origin[some[i]] + medians[i];
    }
  }

  // One process after the other: the hash is that of all rows in order.
  void hash_rows() {
    std::uint64_t state = readers_.begin_hash(rows(), width_);
    for (std::size_t process = 0; process < readers_.count(); ++process) {
      Hash hash(state);
      if (process == readers_.number())
        hash.add_words(stored(share_.first), (share_.last - share_.first) * width_ * sizeof(float));
      state = from_bytes<std::uint64_t>(readers_.all(to_bytes(hash.value()))[process]);
    }
    Hash whole(state);
    whole.add(rows() * width_ * sizeof(float));
    share_.hash = whole.value();
  }

  Table& table_;
  const ColumnRoles& roles_;
  const DatasetOptions& options_;
  std::size_t piece_rows_, few_;
  Readers& readers_;
  std::size_t width_ = 0;
  std::vector<std::size_t> starts_;  // of the processes' rows, and the end
  std::optional<EncodedPart> part_;  // until its rows are stored
  std::vector<std::vector<double>> heads_;
  RowShare share_;
  SharedTable result_;
};

}  // namespace

std::pair<std::size_t, std::size_t> own_files(const std::vector<std::string>& files, const Readers& readers) {
  std::vector<double> bytes;
  double total = 0;
  for (const std::string& file : files) {
    std::error_code none;
    const auto size = std::filesystem::file_size(file, none);
    bytes.push_back(none ? 1 : static_cast<double>(size) + 1);
    total += bytes.back();
  }
  // A file belongs to the process in whose share of the bytes its middle is.
  std::pair<std::size_t, std::size_t> own{files.size(), files.size()};
  double before = 0;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const double middle = (before + bytes[f] / 2) / total * static_cast<double>(readers.count());
    const auto process = std::min(static_cast<std::size_t>(middle), readers.count() - 1);
    if (process == readers.number()) {
      if (own.first == files.size()) own.first = f;
      own.second = f + 1;
    }
    before += bytes[f];
  }
  return own;
}

SharedTable read_shared_table(Table& table, const ColumnRoles& roles, const DatasetOptions& options,
                              std::size_t piece_rows, std::size_t few, Readers& readers) {
  return SharedReader(table, roles, options, piece_rows, few, readers).read();
}

}  // namespace linkgistic
