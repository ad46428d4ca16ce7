#include "engine/wire.hpp"

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include <linkgistic/error.hpp>

#include "engine/cpu/instruction_set.hpp"
#include "engine/partitions.hpp"
#include "engine/request_check.hpp"
#include "numeric/bytes.hpp"

namespace linkgistic {
namespace {

// use(R) for the request type that has this place among the verbs.
template <class Use, std::size_t... i>
std::string with_verb(std::size_t verb, const Use& use, std::index_sequence<i...>) {
  std::string result;
  const bool known =
      ((verb == i && (result = use.template operator()<std::variant_alternative_t<i, Request>>(), true)) ||
       ...);
  if (!known) throw InputError("a message has an unknown verb");
  return result;
}
template <class Use>
std::string with_verb(std::size_t verb, const Use& use) {
  return with_verb(verb, use, std::make_index_sequence<std::variant_size_v<Request>>());
}

std::uint32_t take_verb(std::string_view& message) {
  std::uint32_t verb = 0;
  if (message.size() < sizeof verb) throw InputError("a message ends too soon");
  verb = from_bytes<std::uint32_t>(message.substr(0, sizeof verb));
  message.remove_prefix(sizeof verb);
  return verb;
}

template <class A>
Nodes<A> merged(Nodes<A> nodes) {
  auto merge_two = [](A& left, A& right) { merge_answers(left, right); };
  TreeSum<A, decltype(merge_two)> tree(merge_two);
  for (TreeNode<A>& node : nodes) tree.push(std::move(node));
  return tree.take_nodes();
}

// Whether two answers have as many numbers in each field.
template <class V>
bool same_shape(const V& a, const V& b) {
  if constexpr (requires { a.size(); }) return a.size() == b.size();
  return true;
}
template <class... Fields>
bool same_shape(const std::tuple<Fields...>& a, const std::tuple<Fields...>& b) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return (same_shape(std::get<i>(a), std::get<i>(b)) && ...);
  }
  (std::index_sequence_for<Fields...>());
}

// An answer must have the sizes that the request asked for.
template <class A>
A checked(A answer, A empty, std::size_t /*columns*/) {
  if (!same_shape(answer.fields(), empty.fields())) throw InputError("an answer is of another size");
  return answer;
}
SampleAnswer checked(SampleAnswer answer, const SampleAnswer& /*empty*/, std::size_t columns) {
  for (const SamplePiece& piece : answer.pieces)
    if (piece.features.size() != piece.weights.size() * SampleAnswer::stride(columns))
      throw InputError("an answer is of another size");
  if (!answer.product.empty() && answer.product.size() != (columns + 1) * (columns + 1))
    throw InputError("an answer is of another size");
  return answer;
}

class RemoteEngine final : public RowEngine {
 public:
  RemoteEngine(const RowsShape& shape, Ask ask) : shape_(shape), ask_(std::move(ask)) {}

  [[nodiscard]] const RowsShape& shape() const override { return shape_; }
  Answer answer(const Request& request) override {
    const std::string message = ask_(request_message(request));
    return std::visit(
        [&](const auto& r) -> Answer {
          using A = typename std::decay_t<decltype(r)>::Answer;
          std::string_view rest = message;
          if (take_verb(rest) != request.index()) throw InputError("an answer is of another verb");
          return checked(total_of(nodes_of<A>({std::string(rest)}), empty_answer(r)), empty_answer(r),
                         shape_.columns);
        },
        request);
  }

 private:
  RowsShape shape_;
  Ask ask_;
};

}  // namespace

std::string instructions_head() { return to_bytes(instruction_set()); }

std::string_view check_instructions(std::string_view message) {
  std::string named;
  ByteReader reader(message);
  reader(named);
  if (named != instruction_set())
    throw InputError("the fit runs on machines with the instructions " + named.substr(0, 40) +
                     ", and this one has " + instruction_set() +
                     ": their last bits differ; use machines of one kind");
  return message.substr(instructions_head().size());
}

std::string request_message(const Request& request) {
  return instructions_head() + to_bytes(static_cast<std::uint32_t>(request.index())) +
         std::visit([](const auto& r) { return to_bytes(r); }, request);
}

std::string answer_message(CpuRows& rows, std::string_view request) {
  std::string_view rest = check_instructions(request);
  const std::uint32_t verb = take_verb(rest);
  return to_bytes(verb) + with_verb(verb, [&]<class R>() {
           const auto asked = from_bytes<R>(rest);
           check_request(asked, rows.shape(), rows.parts());
           return message_of<typename R::Answer>(rows.partial(asked));
         });
}

std::string merge_answer_messages(std::span<const std::string> answers) {
  if (answers.empty()) throw InputError("there are no answers to merge");
  std::vector<std::string> rests;
  std::uint32_t verb = 0;
  for (const std::string& answer : answers) {
    std::string_view rest = answer;
    verb = take_verb(rest);
    rests.emplace_back(rest);
  }
  return to_bytes(verb) + with_verb(verb, [&]<class R>() {
           using A = typename R::Answer;
           return message_of<A>(merged<A>(nodes_of<A>(rests)));
         });
}

std::unique_ptr<RowEngine> make_remote_engine(const RowsShape& shape, Ask ask) {
  return std::make_unique<RemoteEngine>(shape, std::move(ask));
}

}  // namespace linkgistic
