// Losses by name.
#include <charconv>
#include <optional>
#include <system_error>
#include <vector>

#include <linkgistic/error.hpp>

#include "loss/losses.hpp"

namespace linkgistic {
namespace {

[[noreturn]] void refuse(std::string_view name) {
  throw UsageError(
      "loss = " + std::string(name) +
      " must be log, square, matsushita, alpha=A, spherical, cost=C or beta=A,B, each with an optional "
      "\",tail=T\"");
}

/// The numbers of "1,2.5"; empty text has none.
std::vector<double> numbers_of(std::string_view text, std::string_view name) {
  std::vector<double> out;
  while (!text.empty()) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) refuse(name);
    out.push_back(value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) break;
    if (text.front() != ',' || text.size() == 1) refuse(name);
    text.remove_prefix(1);
  }
  return out;
}

std::shared_ptr<const ProperLoss> make(std::string_view kind, const std::vector<double>& numbers,
                                       double tail) {
  const std::size_t count = numbers.size();
  if (kind == "log" && count == 0) return make_log_loss(tail);
  if (kind == "square" && count == 0) return make_square_loss(tail);
  if (kind == "matsushita" && count == 0) return make_matsushita_loss(tail);
  if (kind == "spherical" && count == 0) return make_spherical_loss(tail);
  if (kind == "alpha" && count == 1) return make_alpha_loss(numbers[0], tail);
  if (kind == "cost" && count == 1) return make_cost_loss(numbers[0], tail);
  if (kind == "beta" && count == 2) return make_beta_loss(numbers[0], numbers[1], tail);
  return nullptr;
}

}  // namespace

std::shared_ptr<const ProperLoss> make_loss(std::string_view name) {
  std::string_view rest = name;
  std::optional<double> tail;
  constexpr std::string_view tail_key = ",tail=";
  if (const auto at = rest.find(tail_key); at != std::string_view::npos) {
    const std::vector<double> value = numbers_of(rest.substr(at + tail_key.size()), name);
    if (value.size() != 1) refuse(name);
    tail = value[0];
    rest = rest.substr(0, at);
  }
  const auto equals = rest.find('=');
  const std::string_view kind = rest.substr(0, equals);
  const std::vector<double> numbers =
      equals == std::string_view::npos ? std::vector<double>{} : numbers_of(rest.substr(equals + 1), name);
  std::shared_ptr<const ProperLoss> loss = make(kind, numbers, tail.value_or(0.0));
  if (!loss) refuse(name);
  if (!tail && !loss->maps_onto_reals()) loss = make(kind, numbers, ProperLoss::default_tail);
  return loss;
}

}  // namespace linkgistic
