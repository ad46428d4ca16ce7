#include "engine/cuda/device/score_sums.cuh"

#include <algorithm>
#include <cmath>

namespace linkgistic::cuda {
namespace {

#define EACH_ROW(n, count)                                                                            \
  for (std::uint64_t n = blockIdx.x * std::uint64_t{block_threads} + threadIdx.x; n < (count);        \
       n += gridDim.x * std::uint64_t{block_threads})

// A place for the sum of quantity i in this block.
__device__ inline void put(double* partial, std::size_t i, double sum) {
  if (threadIdx.x == 0) partial[i * gridDim.x + blockIdx.x] = sum;
}

__global__ void norms_kernel(Scores s, RowFacts rows, bool with_variance, Norm* norms) {
  const int set = static_cast<int>(blockIdx.y);
  EACH_ROW(n, rows.rows) {
    const auto score = [&](int k) { return static_cast<double>(s.at[set * s.coupled + k][n]); };
    const Softmax softmax(s, set, rows.labels[n], score);
    double mean = 0, variance = 0;
    if (with_variance && softmax.counts()) {
      for (int k = 0; k < s.coupled; ++k) {
        const Node link = node_at(s.table(set * s.coupled + k), 0, score(k));
        mean += softmax.share(link.value) * link.slope;
      }
      for (int k = 0; k < s.coupled; ++k) {
        const Node link = node_at(s.table(set * s.coupled + k), 0, score(k));
        variance += softmax.share(link.value) * (link.slope - mean) * (link.slope - mean);
      }
    }
    norms[set * rows.rows + n] = {softmax.most, softmax.sum, softmax.loss, variance};
  }
}

// Scores from and then to which a line leads: s.at has those of all problems, then those of their ends.
__global__ void line_kernel(Scores s, RowFacts rows, const double* steps, int per_set, double* partial) {
  const int set = static_cast<int>(blockIdx.y), first = set * s.coupled;
  for (int i = set * per_set; i < (set + 1) * per_set; ++i) {
    const double t = steps[i];
    double value = 0, slope = 0;
    EACH_ROW(n, rows.rows) {
      const double w = static_cast<double>(weight_in(rows, s.problems[first], n));
      if (!(w > 0)) continue;
      const auto from = [&](int k) { return static_cast<double>(s.at[first + k][n]); };
      const auto way = [&](int k) { return static_cast<double>(s.at[s.count + first + k][n]) - from(k); };
      if (s.coupled == 1) {
        const int label = rows.labels[n] == s.problems[first].label ? 1 : 0;
        const Node l = node_at(s.table(first), label, from(0) + t * way(0));
        value += w * l.value;
        slope += w * l.slope * way(0);
        continue;
      }
      const auto score = [&](int k) { return from(k) + t * way(k); };
      const Softmax softmax(s, set, rows.labels[n], score);
      if (!softmax.counts()) continue;
      value += w * softmax.loss;
      bool known = false;
      for (int k = 0; k < s.coupled; ++k) {
        const Node link = node_at(s.table(first + k), 0, score(k));
        const bool own = !known && s.problems[first + k].label == rows.labels[n];
        known = known || own;
        slope += w * (softmax.share(link.value) - (own ? 1 : 0)) * link.slope * way(k);
      }
    }
    put(partial, 2 * i, block_join(value));
    put(partial, 2 * i + 1, block_join(slope));
  }
}

__global__ void range_kernel(Scores s, RowFacts rows, double* lower, double* upper, unsigned long long* bad_row) {
  const int p = static_cast<int>(blockIdx.y);
  double least = INFINITY, most = -INFINITY;
  EACH_ROW(n, rows.rows) {
    if (!(weight_in(rows, s.problems[p], n) > 0)) continue;
    const double score = static_cast<double>(s.at[p][n]);
    if (!isfinite(score)) atomicMin(bad_row, static_cast<unsigned long long>(n));
    least = fmin(least, score);
    most = fmax(most, score);
  }
  put(lower, p, block_join<Least>(least));
  put(upper, p, block_join<Most>(most));
}

struct Cells {
  Scores scores;
  RowFacts rows;
  const std::uint32_t* group;  // (problems)
  const double* lower;         // (groups)
  const double* width;         // (groups)
  int cells, kinds;
  double units;                 // of a weight of 1
  unsigned long long* moments;  // (groups, cells, kinds, 4), whole numbers of units
  double* loss;                 // (blocks), of a softmax
  const Norm* norms;
};

__device__ void add_cell(const Cells& a, int p, double score, double weight, int kind) {
  const std::uint32_t g = a.group[p];
  const double u = (score - a.lower[g]) / a.width[g];
  const double cell = fmin(fmax(0.0, floor(u)), static_cast<double>(a.cells - 1));
  const double d = 2 * (u - cell) - 1;
  unsigned long long* to = a.moments + ((static_cast<std::size_t>(g) * a.cells + static_cast<std::size_t>(cell)) * a.kinds + kind) * 4;
  double v = weight * a.units;
  for (int i = 0; i < 4; ++i, v *= d) atomicAdd(to + i, static_cast<unsigned long long>(__double2ll_rn(v)));
}

__global__ void cells_kernel(const __grid_constant__ Cells a) {
  const int p = static_cast<int>(blockIdx.y);
  const int set = p / a.scores.coupled;
  const Problem problem = a.scores.problems[p], leader = a.scores.problems[set * a.scores.coupled];
  double loss = 0;
  EACH_ROW(n, a.rows.rows) {
    const double score = static_cast<double>(a.scores.at[p][n]);
    if (a.scores.coupled == 1) {
      const double w = static_cast<double>(weight_in(a.rows, problem, n));
      if (w > 0) add_cell(a, p, score, w, a.rows.labels[n] == problem.label ? 1 : 0);
      continue;
    }
    const double w = static_cast<double>(weight_in(a.rows, leader, n));
    const Norm norm = a.norms[set * a.rows.rows + n];
    if (!(w > 0) || !(norm.sum > 0)) continue;
    if (p % a.scores.coupled == 0) loss += w * norm.loss;
    const double share = exp(node_at(a.scores.table(p), 0, score).value - norm.most) / norm.sum;
    if (a.rows.labels[n] == problem.label) add_cell(a, p, score, w, 0);
    add_cell(a, p, score, w * share, 1);
    add_cell(a, p, score, w * share * (1 - share), 2);
  }
  put(a.loss, p, block_join(loss));
}

// Whole numbers of a unit as numbers: one rounding, for the unit is a power of two.
__global__ void from_units(const unsigned long long* whole, std::size_t size, double unit, double* to) {
  const std::size_t i = blockIdx.x * std::size_t{block_threads} + threadIdx.x;
  if (i < size) to[i] = static_cast<double>(static_cast<long long>(whole[i])) * unit;
}

__global__ void curvature_kernel(Scores s, RowFacts rows, const Norm* norms, double* partial) {
  const int i = static_cast<int>(blockIdx.y);
  const int set = i / s.directions(), direction = i % s.directions();
  double sum = 0;
  EACH_ROW(n, rows.rows) sum += curvature_of(s, rows, norms, set, direction, n);
  put(partial, i, block_join(sum));
}

// Sums of the losses of candidates: `sets` has those of candidate c at begin[c] .. begin[c + 1] - 1.
struct HeldOut {
  Scores scores;
  RowFacts rows;
  const std::uint32_t *sets, *begin;
  double most_loss;
  const Norm* norms;
  double* first_loss;  // (rows): of the first candidate
  double* partial;     // (2 candidates + 1, blocks)
  int candidates;
};

__device__ double candidate_loss(const HeldOut& a, int c, std::uint64_t n, int& sets_of_row) {
  double loss = 0;
  for (std::uint32_t i = a.begin[c]; i < a.begin[c + 1]; ++i) {
    const int set = static_cast<int>(a.sets[i]), first = set * a.scores.coupled;
    const Problem& problem = a.scores.problems[first];
    if (!(weight_in(a.rows, problem, n) > 0)) continue;
    double own = 0;
    if (a.scores.coupled > 1) {
      const Norm norm = a.norms[set * a.rows.rows + n];
      if (!(norm.sum > 0)) continue;
      own = norm.loss;
    } else {
      const int label = a.rows.labels[n] == problem.label ? 1 : 0;
      own = node_at(a.scores.table(first), label, static_cast<double>(a.scores.at[first][n])).value;
    }
    ++sets_of_row;
    loss += fmin(own, a.most_loss);
  }
  return loss;
}

__global__ void first_candidate_kernel(const __grid_constant__ HeldOut a) {
  double weight = 0;
  EACH_ROW(n, a.rows.rows) {
    int sets = 0;
    a.first_loss[n] = candidate_loss(a, 0, n, sets);
    weight += sets * static_cast<double>(a.rows.weights == nullptr ? 1.0F : a.rows.weights[n]);
  }
  put(a.partial, 2 * a.candidates, block_join(weight));
}

__global__ void candidates_kernel(const __grid_constant__ HeldOut a) {
  const int c = static_cast<int>(blockIdx.y);
  double loss = 0, squares = 0;
  EACH_ROW(n, a.rows.rows) {
    const double w = static_cast<double>(a.rows.weights == nullptr ? 1.0F : a.rows.weights[n]);
    if (!(w > 0)) continue;
    int sets = 0;
    const double own = candidate_loss(a, c, n, sets);
    loss += w * own;
    squares += w * (own - a.first_loss[n]) * (own - a.first_loss[n]);
  }
  put(a.partial, c, block_join(loss));
  put(a.partial, a.candidates + c, block_join(squares));
}

}  // namespace

int ScoreSums::blocks() const {
  const std::uint64_t all = (rows_.count() + block_threads - 1) / block_threads;
  return static_cast<int>(std::clamp<std::uint64_t>(all, 1, static_cast<std::uint64_t>(2 * place_.processors)));
}

template <class Join>
void ScoreSums::take(std::size_t count, int blocks, double* to) {
  double* joined = work_.sums.make_room(count);
  join<Join>(place_, work_.partial.data(), blocks, joined, count);
  download(place_, to, joined, count);
  place_.wait();
}

const Norm* ScoreSums::norms(const Scores& scores, bool with_variance) {
  if (scores.coupled == 1) return nullptr;
  Norm* norms = norms_.make_room(static_cast<std::size_t>(scores.sets()) * rows_.count());
  const dim3 grid(static_cast<unsigned>(blocks()), static_cast<unsigned>(scores.sets()));
  norms_kernel<<<grid, block_threads, 0, place_.queue>>>(scores, rows_.facts(), with_variance, norms);
  check_launch("softmax");
  return norms;
}

void ScoreSums::line(const Scores& scores, const double* steps, std::uint32_t per_set, double* value, double* slope) {
  const std::size_t count = static_cast<std::size_t>(scores.sets()) * per_set;
  if (count == 0) return;
  upload(place_, steps_, steps, count);
  const int some = blocks();
  double* partial = work_.partial.make_room(2 * count * static_cast<std::size_t>(some));
  const dim3 grid(static_cast<unsigned>(some), static_cast<unsigned>(scores.sets()));
  line_kernel<<<grid, block_threads, 0, place_.queue>>>(scores, rows_.facts(), steps_.data(), static_cast<int>(per_set),
                                                        partial);
  check_launch("line");
  std::vector<double> both(2 * count);
  take<Add>(2 * count, some, both.data());
  for (std::size_t i = 0; i < count; ++i) {
    value[i] = both[2 * i];
    slope[i] = both[2 * i + 1];
  }
}

void ScoreSums::range(const Scores& scores, const std::uint32_t* group, std::uint32_t groups, double* lower,
                      double* upper, std::uint64_t* bad_row) {
  const int some = blocks();
  const auto count = static_cast<std::size_t>(scores.count);
  double* partial = work_.partial.make_room(2 * count * static_cast<std::size_t>(some));
  unsigned long long* bad = work_.whole.make_room(1);
  check(cudaMemsetAsync(bad, 0xff, sizeof *bad, place_.queue), "clearing");
  double* partial_upper = partial + count * static_cast<std::size_t>(some);
  const dim3 grid(static_cast<unsigned>(some), static_cast<unsigned>(scores.count));
  range_kernel<<<grid, block_threads, 0, place_.queue>>>(scores, rows_.facts(), partial, partial_upper, bad);
  check_launch("range");
  double* joined = work_.sums.make_room(2 * count);
  join<Least>(place_, partial, some, joined, count);
  join<Most>(place_, partial_upper, some, joined + count, count);
  std::vector<double> both(2 * count);
  unsigned long long row = 0;
  download(place_, both.data(), joined, both.size());
  download(place_, &row, bad, 1);
  place_.wait();
  *bad_row = row;
  std::fill_n(lower, groups, INFINITY);
  std::fill_n(upper, groups, -INFINITY);
  for (std::size_t p = 0; p < count; ++p) {
    lower[group[p]] = std::min(lower[group[p]], both[p]);
    upper[group[p]] = std::max(upper[group[p]], both[count + p]);
  }
}

void ScoreSums::cells(const Scores& scores, const std::uint32_t* group, std::uint32_t groups, const double* lower,
                      const double* upper, std::uint32_t cells, double* moments, double* loss) {
  const int kinds = scores.coupled == 1 ? 2 : 3;
  std::vector<double> axis(lower, lower + groups);
  for (std::uint32_t g = 0; g < groups; ++g)
    axis.push_back(upper[g] > lower[g] ? (upper[g] - lower[g]) / static_cast<double>(cells) : 1);
  upload(place_, steps_, axis.data(), axis.size());
  upload(place_, numbers_, group, static_cast<std::size_t>(scores.count));
  const std::size_t size = std::size_t{groups} * cells * static_cast<std::size_t>(kinds) * 4;
  clear(place_, work_.whole, size);
  const int some = blocks();
  // No sum of all rows and problems passes 2^62 units.
  const double most = static_cast<double>(rows_.count()) * scores.count * static_cast<double>(rows_.greatest_weight());
  const int exponent = 61 - std::ilogb(std::max(most, 1e-300));
  const Cells a{scores, rows_.facts(), numbers_.data(), steps_.data(), steps_.data() + groups, static_cast<int>(cells),
                kinds, std::ldexp(1.0, exponent), work_.whole.data(),
                work_.partial.make_room(static_cast<std::size_t>(scores.count) * static_cast<std::size_t>(some)),
                norms(scores)};
  const dim3 grid(static_cast<unsigned>(some), static_cast<unsigned>(scores.count));
  cells_kernel<<<grid, block_threads, 0, place_.queue>>>(a);
  check_launch("cells");
  const std::size_t all = size + static_cast<std::size_t>(scores.count);
  double* sums = work_.sums.make_room(all);
  if (size > 0) {
    from_units<<<static_cast<unsigned>((size + block_threads - 1) / block_threads), block_threads, 0, place_.queue>>>(
        work_.whole.data(), size, std::ldexp(1.0, -exponent), sums);
    check_launch("cells");
  }
  join(place_, work_.partial.data(), some, sums + size, all - size);
  auto* staging = static_cast<double*>(work_.staging.make_room(all * sizeof(double)));
  download(place_, staging, sums, all);
  place_.wait();
  std::copy_n(staging, size, moments);
  *loss = 0;
  for (std::size_t p = size; p < all; ++p) *loss += staging[p];
}

void ScoreSums::curvature(const Scores& scores, double* sum) {
  const int some = blocks();
  const auto count = static_cast<std::size_t>(scores.sets()) * static_cast<std::size_t>(scores.directions());
  double* partial = work_.partial.make_room(count * static_cast<std::size_t>(some));
  const dim3 grid(static_cast<unsigned>(some), static_cast<unsigned>(count));
  curvature_kernel<<<grid, block_threads, 0, place_.queue>>>(scores, rows_.facts(), norms(scores, true), partial);
  check_launch("curvature");
  take<Add>(count, some, sum);
}

void ScoreSums::held_out(const Scores& scores, const std::uint32_t* candidate, std::uint32_t candidates,
                         double most_loss, double* loss, double* squared_difference, double* weight) {
  const auto sets = static_cast<std::size_t>(scores.sets());
  std::vector<std::uint32_t> numbers;  // the sets by their candidates, then where each candidate begins
  std::vector<std::uint32_t> begin;
  for (std::uint32_t c = 0; c < candidates; ++c) {
    begin.push_back(static_cast<std::uint32_t>(numbers.size()));
    for (std::size_t s = 0; s < sets; ++s)
      if (candidate[s] == c) numbers.push_back(static_cast<std::uint32_t>(s));
  }
  begin.push_back(static_cast<std::uint32_t>(numbers.size()));
  numbers.insert(numbers.end(), begin.begin(), begin.end());
  upload(place_, numbers_, numbers.data(), numbers.size());
  const int some = blocks();
  const std::size_t count = std::size_t{2} * candidates + 1;
  const HeldOut a{scores, rows_.facts(), numbers_.data(), numbers_.data() + begin.back(), most_loss, norms(scores),
                  first_loss_.make_room(rows_.count()),
                  work_.partial.make_room(count * static_cast<std::size_t>(some)), static_cast<int>(candidates)};
  first_candidate_kernel<<<static_cast<unsigned>(some), block_threads, 0, place_.queue>>>(a);
  candidates_kernel<<<dim3(static_cast<unsigned>(some), candidates), block_threads, 0, place_.queue>>>(a);
  check_launch("held out losses");
  std::vector<double> all(count);
  take<Add>(count, some, all.data());
  std::copy_n(all.begin(), candidates, loss);
  std::copy_n(all.begin() + candidates, candidates, squared_difference);
  *weight = all.back();
}

}  // namespace linkgistic::cuda
