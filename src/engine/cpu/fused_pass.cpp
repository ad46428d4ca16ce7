// The one pass over the rows: coefficients folded to raw values, groups of leaves over threads, sums along
// the tree.
#include "engine/cpu/fused_pass.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <hwy/aligned_allocator.h>

#include <linkgistic/error.hpp>

#include "engine/cpu/packed_beta.hpp"
#include "engine/verbs/same_size.hpp"
#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check(const LabelledView& data, std::size_t classes, std::size_t beta_size, std::size_t margins) {
  const std::size_t n = data.rows();
  if (data.labels.size() != n) {
    throw InputError(std::to_string(data.labels.size()) + " labels for " + std::to_string(n) + " rows");
  }
  if (!data.weights.empty() && data.weights.size() != n) {
    throw InputError(std::to_string(data.weights.size()) + " weights for " + std::to_string(n) + " rows");
  }
  if (beta_size != classes * (data.columns() + 1))
    throw InputError("coefficients: expected classes x (columns + 1)");
  if (margins != 0 && margins != classes) throw InputError("margins: expected one array a class");
}

// What the kernels add to: six totals a class, and the raw gradient laid out as the packed coefficients.
struct GroupSums {
  std::vector<double> totals;  // (6, classes)
  hwy::AlignedFreeUniquePtr<double[]> gradient;
};

// The weights of the rows first .. last-1 in each problem, made once for each selection.
class GroupWeights {
 public:
  GroupWeights(const LabelledView& data, std::span<const PassClass> classes)
      : data_(data), classes_(classes) {
    for (const PassClass& c : classes) {
      if (c.selection.rows == Selection::Rows::all) continue;
      if (std::find(selections_.begin(), selections_.end(), c.selection) == selections_.end())
        selections_.push_back(c.selection);
    }
  }

  const float* const* at(std::size_t first, std::size_t last) {
    made_.resize(selections_.size());
    for (std::size_t s = 0; s < selections_.size(); ++s) {
      made_[s].resize(last - first);
      for (std::size_t n = first; n < last; ++n) {
        const float w = data_.weights.empty() ? 1.0F : data_.weights[n];
        made_[s][n - first] = data_.parts->takes(selections_[s], n) ? w : 0.0F;
      }
    }
    pointers_.clear();
    for (const PassClass& c : classes_) {
      const auto it = std::find(selections_.begin(), selections_.end(), c.selection);
      const float* common = data_.weights.empty() ? nullptr : data_.weights.data() + first;
      pointers_.push_back(it == selections_.end()
                              ? common
                              : made_[static_cast<std::size_t>(it - selections_.begin())].data());
    }
    return pointers_.data();
  }

 private:
  const LabelledView& data_;
  std::span<const PassClass> classes_;
  std::vector<Selection> selections_;
  std::vector<std::vector<float>> made_;
  std::vector<const float*> pointers_;
};

// The state of one pass.
class Pass {
 public:
  Pass(const LabelledView& data, const Grid& grid, std::uint64_t first_leaf,
       std::span<const PassClass> classes, std::span<const double> beta, std::span<float* const> margins,
       std::size_t coupled)
      : data_(data),
        grid_(grid),
        first_leaf_(first_leaf),
        classes_(classes),
        packed_(pack(*data.view, classes.size(), beta)) {
    for (const PassClass& one_class : classes) tables_.push_back(kernel_table(one_class));
    common_.classes = classes.size();
    common_.coupled = coupled;
    common_.stride = packed_.stride;
    common_.beta = packed_.beta.get();
    common_.intercept = packed_.intercept.data();
    common_.tables = tables_.data();
    common_.labels = data.labels.data();
    common_.margins = margins.empty() ? nullptr : margins.data();
  }

  std::vector<TreeNode<PassResult>> run(int threads) {
    const std::size_t groups = group_count();
    // Aligned runs of groups, each on one thread; enough of them for many threads, few enough to add up.
    std::uint64_t run = 1;
    while (groups / run > 256) run *= 2;
    const std::uint64_t begin = first_group() / run;
    const std::uint64_t end = (first_group() + groups + run - 1) / run;
    if (data_.column_blocks != nullptr) write_residuals(threads);
    std::vector<std::vector<TreeNode<GroupSums>>> parts(end - begin);
    parallel_for(parts.size(), threads, [&](std::size_t i) {
      const std::uint64_t from = std::max((begin + i) * run, first_group());
      const std::uint64_t to = std::min((begin + i + 1) * run, first_group() + groups);
      parts[i] = sum_groups(from, to);
    });
    // The tree determines the additions; threads then make them, each for its share of the columns.
    std::vector<GroupSums> merged;
    std::vector<std::pair<double*, const double*>> additions;
    auto merge = [&](GroupSums& left, GroupSums& right) {
      add_totals(left, right);
      additions.emplace_back(left.gradient.get(), right.gradient.get());
      merged.push_back(std::move(right));
    };
    TreeSum<GroupSums, decltype(merge)> tree(merge);
    for (auto& part : parts)
      for (auto& node : part) tree.push(std::move(node));
    const std::vector<TreeNode<GroupSums>> roots = tree.take_nodes();
    constexpr std::size_t slice = 1024;
    parallel_chunks(gradient_size(), slice, threads, [&](std::size_t, std::size_t first, std::size_t last) {
      for (const auto& [to, from] : additions)
        for (std::size_t j = first; j < last; ++j) to[j] += from[j];
    });
    std::vector<TreeNode<PassResult>> nodes;
    for (const TreeNode<GroupSums>& node : roots)
      nodes.push_back({node.level, node.index, unpacked(node.value)});
    if (data_.column_blocks != nullptr) add_column_gradients(nodes, threads);
    return nodes;
  }

 private:
  [[nodiscard]] std::uint64_t first_group() const { return first_leaf_ >> grid_.group_level(); }
  [[nodiscard]] std::size_t group_count() const {
    return (data_.rows() + grid_.group_rows() - 1) / grid_.group_rows();
  }

  std::vector<TreeNode<GroupSums>> sum_groups(std::uint64_t from, std::uint64_t to) {
    std::vector<GroupSums> spare;
    auto merge = [&](GroupSums& left, GroupSums& right) {
      add(left, right);
      spare.push_back(std::move(right));
    };
    TreeSum<GroupSums, decltype(merge)> tree(merge);
    GroupWeights weights(data_, classes_);
    for (std::uint64_t g = from; g < to; ++g) {
      GroupSums sums;
      if (!spare.empty()) {
        sums = std::move(spare.back());
        spare.pop_back();
      }
      start(sums);
      const std::size_t first = (g - first_group()) * grid_.group_rows();
      const std::size_t last = std::min<std::size_t>(first + grid_.group_rows(), data_.rows());
      if (data_.column_blocks == nullptr) {
        kernel::ChunkTask task = task_of(first, last, sums, weights);
        task.gradient = sums.gradient.get();
        run_kernel(data_.view->rows, task);
      } else {
        fold_leaves(first, last, sums);
      }
      tree.push({grid_.group_level(), g, std::move(sums)});
    }
    return tree.take_nodes();
  }

  [[nodiscard]] std::size_t gradient_size() const {
    return data_.column_blocks != nullptr ? 0 : packed_.size;
  }

  void start(GroupSums& sums) const {
    const std::size_t c = classes_.size();
    sums.totals.assign(6 * c, 0.0);
    std::fill_n(sums.totals.begin() + static_cast<std::ptrdiff_t>(3 * c), c, infinity);
    std::fill_n(sums.totals.begin() + static_cast<std::ptrdiff_t>(4 * c), c, -infinity);
    std::fill_n(sums.totals.begin() + static_cast<std::ptrdiff_t>(5 * c), c, infinity);
    if (!sums.gradient)
      sums.gradient = hwy::AllocateAligned<double>(std::max<std::size_t>(gradient_size(), 1));
    std::fill_n(sums.gradient.get(), gradient_size(), 0.0);
  }

  void add(GroupSums& left, const GroupSums& right) const {
    add_totals(left, right);
    double* to = left.gradient.get();
    const double* from = right.gradient.get();
    for (std::size_t i = 0; i < gradient_size(); ++i) to[i] += from[i];
  }

  void add_totals(GroupSums& left, const GroupSums& right) const {
    const std::size_t c = classes_.size();
    for (std::size_t i = 0; i < 3 * c; ++i) left.totals[i] += right.totals[i];
    for (std::size_t i = 3 * c; i < 6 * c; ++i) {
      const bool greatest = i / c == 4;
      left.totals[i] =
          greatest ? std::max(left.totals[i], right.totals[i]) : std::min(left.totals[i], right.totals[i]);
    }
  }

  kernel::ChunkTask task_of(std::size_t first, std::size_t last, GroupSums& sums, GroupWeights& weights) {
    const std::size_t c = classes_.size();
    kernel::ChunkTask task = common_;
    task.first = first;
    task.last = last;
    task.weights = weights.at(first, last);
    task.loss = sums.totals.data();
    task.residual = task.loss + c;
    task.residual_size = task.residual + c;
    task.lower = task.residual_size + c;
    task.upper = task.lower + c;
    task.least_signed = task.upper + c;
    return task;
  }

  // With column blocks: the residuals of all rows, leaf by leaf, each with its own totals.
  void write_residuals(int threads) {
    residuals_ = hwy::AllocateAligned<float>(data_.rows() * packed_.stride);
    common_.residuals = residuals_.get();
    leaves_.resize((data_.rows() + Grid::leaf_rows - 1) / Grid::leaf_rows);
    const auto write = [&](std::size_t i, std::size_t first, std::size_t last) {
      GroupWeights weights(data_, classes_);
      start(leaves_[i]);
      run_kernel(data_.view->rows, task_of(first, last, leaves_[i], weights));
    };
    parallel_chunks(data_.rows(), Grid::leaf_rows, threads, write);
  }

  void fold_leaves(std::size_t first, std::size_t last, GroupSums& sums) {
    auto merge = [this](GroupSums& left, const GroupSums& right) { add(left, right); };
    TreeSum<GroupSums, decltype(merge)> tree(merge);
    for (std::size_t i = first / Grid::leaf_rows; i * Grid::leaf_rows < last; ++i)
      tree.push({0, i, std::move(leaves_[i])});
    sums = tree.take_total();
  }

  // Z' r by windows of columns: the sums of each group of rows, added along the tree.
  void add_column_gradients(std::vector<TreeNode<PassResult>>& nodes, int threads) {
    const ColumnBlocks& copy = *data_.column_blocks;
    const std::size_t size = copy.window_columns() * packed_.stride;
    const std::size_t width = data_.columns() + 1;
    using Sums = hwy::AlignedFreeUniquePtr<double[]>;
    parallel_for(copy.windows(), threads, [&](std::size_t w) {
      std::vector<Sums> spare;
      auto merge = [&](Sums& left, Sums& right) {
        for (std::size_t i = 0; i < size; ++i) left[i] += right[i];
        spare.push_back(std::move(right));
      };
      TreeSum<Sums, decltype(merge)> tree(merge);
      for (std::size_t b = 0; b < copy.blocks().size(); ++b) {
        Sums sums = spare.empty() ? hwy::AllocateAligned<double>(size) : std::move(spare.back());
        if (!spare.empty()) spare.pop_back();
        std::fill_n(sums.get(), size, 0.0);
        const ColumnBlocks::Block& block = copy.blocks()[b];
        kernel::column_gradient({&block, &block.tiles[w], packed_.stride,
                                 residuals_.get() + b * grid_.group_rows() * packed_.stride, sums.get()});
        tree.push({grid_.group_level(), first_group() + b, std::move(sums)});
      }
      auto windows = tree.take_nodes();
      const std::size_t first = w * copy.window_columns();
      const std::size_t last = std::min(first + copy.window_columns(), data_.columns());
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (std::size_t j = first; j < last; ++j)
          for (std::size_t k = 0; k < classes_.size(); ++k)
            nodes[i].value.gradient[k * width + j + 1] = windows[i].value[(j - first) * packed_.stride + k];
      }
    });
  }

  [[nodiscard]] PassResult unpacked(const GroupSums& sums) const {
    const std::size_t c = classes_.size();
    const std::size_t columns = data_.columns();
    PassResult result(c, columns);
    const auto part = [&](std::size_t i, std::vector<double>& to) {
      std::copy_n(sums.totals.begin() + static_cast<std::ptrdiff_t>(i * c), c, to.begin());
    };
    part(0, result.loss);
    part(2, result.residual_size);
    part(3, result.lower);
    part(4, result.upper);
    part(5, result.least_signed);
    const bool sparse = data_.view->rows.is_sparse();
    for (std::size_t k = 0; k < c; ++k) {
      double* g = result.gradient.data() + k * (columns + 1);
      g[0] = sums.totals[c + k];
      for (std::size_t j = 0; j < (gradient_size() > 0 ? columns : 0); ++j)
        g[j + 1] = sums.gradient[place(sparse, packed_.stride, k, j)];
    }
    return result;
  }

  const LabelledView& data_;
  Grid grid_;
  std::uint64_t first_leaf_;
  std::span<const PassClass> classes_;
  PackedBeta packed_;
  std::vector<kernel::Table> tables_;
  kernel::ChunkTask common_{};
  hwy::AlignedFreeUniquePtr<float[]> residuals_;  // (rows, stride), with column blocks
  std::vector<GroupSums> leaves_;                 // totals alone, with column blocks
};

}  // namespace

RowsShape shape_of(const RowMatrix& rows) {
  return {rows.rows(), rows.columns(), rows.entries(), rows.is_sparse(), 0};
}

PassResult::PassResult(std::size_t classes, std::size_t columns)
    : loss(classes),
      residual_size(classes),
      lower(classes, infinity),
      upper(classes, -infinity),
      least_signed(classes, infinity),
      gradient(classes * (columns + 1)) {}

void merge(PassResult& left, const PassResult& right) {
  for (const PassResult* part : {&std::as_const(left), &right}) {
    for (const auto* sums :
         {&part->loss, &part->residual_size, &part->lower, &part->upper, &part->least_signed})
      check_same_size(left.loss.size(), sums->size());
  }
  check_same_size(left.gradient.size(), right.gradient.size());
  const auto add = [](std::vector<double>& to, const std::vector<double>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  };
  add(left.loss, right.loss);
  add(left.residual_size, right.residual_size);
  add(left.gradient, right.gradient);
  for (std::size_t k = 0; k < left.loss.size(); ++k) {
    left.lower[k] = std::min(left.lower[k], right.lower[k]);
    left.upper[k] = std::max(left.upper[k], right.upper[k]);
    left.least_signed[k] = std::min(left.least_signed[k], right.least_signed[k]);
  }
}

std::vector<TreeNode<PassResult>> partial_pass(const LabelledView& data, const Grid& grid,
                                               std::uint64_t first_leaf, std::span<const PassClass> classes,
                                               std::span<const double> beta, std::span<float* const> margins,
                                               int threads, std::size_t coupled) {
  check(data, classes.size(), beta.size(), margins.size());
  return Pass(data, grid, first_leaf, classes, beta, margins, coupled).run(threads);
}

PassResult fused_pass(const LabelledView& data, std::span<const PassClass> classes,
                      std::span<const double> beta, std::span<float* const> margins, int threads) {
  const Grid grid(shape_of(data.view->rows));
  auto nodes = partial_pass(data, grid, 0, classes, beta, margins, threads);
  if (nodes.empty()) return PassResult(classes.size(), data.columns());
  auto merge_two = [](PassResult& left, const PassResult& right) { merge(left, right); };
  TreeSum<PassResult, decltype(merge_two)> sum(merge_two);
  for (TreeNode<PassResult>& node : nodes) sum.push(std::move(node));
  PassResult result = sum.take_total();
  const std::size_t width = data.columns() + 1;
  for (std::size_t k = 0; k < classes.size(); ++k)
    data.view->scale.gradient_from_raw(std::span(result.gradient).subspan(k * width, width));
  return result;
}

}  // namespace linkgistic
