// Rows answer with sums: a fit does nothing with rows but request sums over them, and it does so here. A
// request and its answer are plain values that can be written to bytes and read back. Every engine (threads,
// partitions, other machines) adds along one tree (grid.hpp), so the answers have the same bits.
#pragma once

#include <variant>

#include "engine/grid.hpp"
#include "engine/verbs/cells.hpp"
#include "engine/verbs/curvature.hpp"
#include "engine/verbs/gram.hpp"
#include "engine/verbs/held_out.hpp"
#include "engine/verbs/information.hpp"
#include "engine/verbs/line.hpp"
#include "engine/verbs/overlap.hpp"
#include "engine/verbs/pass.hpp"
#include "engine/verbs/sample.hpp"
#include "engine/verbs/summary.hpp"

namespace linkgistic {

// A verb is one file in verbs/, with its request, its answer and their functions, and one line here.
using Request =
    std::variant<SummaryRequest, PassRequest, LineRequest, RangeRequest, CellsRequest, CurvatureRequest,
                 SampleRequest, HeldOutRequest, GramRequest, OverlapRequest, InformationRequest>;

/// The answers, in the order of the requests.
template <class Requests>
struct AnswersTo;
template <class... R>
struct AnswersTo<std::variant<R...>> {
  using Type = std::variant<typename R::Answer...>;
};
using Answer = AnswersTo<Request>::Type;

class RowEngine {
 public:
  virtual ~RowEngine() = default;

  [[nodiscard]] virtual const RowsShape& shape() const = 0;
  /// One request at a time.
  virtual Answer answer(const Request& request) = 0;

  template <class R>
  typename R::Answer ask(const R& request) {
    return std::get<typename R::Answer>(answer(Request(request)));
  }
};

}  // namespace linkgistic
