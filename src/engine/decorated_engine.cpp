#include "engine/decorated_engine.hpp"

#include "numeric/bytes.hpp"

namespace linkgistic {

Answer CountedEngine::answer(const Request& request) {
  Answer result = engine_.answer(request);
  if (std::holds_alternative<PassRequest>(request)) on_pass_(++passes_);
  return result;
}

Answer RecordedEngine::answer(const Request& request) {
  if (std::holds_alternative<SampleRequest>(request)) return engine_.answer(request);
  return std::visit(
      [&](const auto& r) -> Answer {
        using A = typename std::decay_t<decltype(r)>::Answer;
        // Requests of two verbs may have the same bytes.
        const std::string question = to_bytes(request.index()) + to_bytes(r);
        const std::string bytes = log_.recall(question, [&] { return to_bytes(engine_.ask(r)); });
        return from_bytes<A>(bytes);
      },
      request);
}

}  // namespace linkgistic
