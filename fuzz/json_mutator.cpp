#include "json_mutator.hpp"

#include <random>
#include <vector>

#include <nlohmann/json.hpp>

namespace linkgistic::fuzz {
namespace {

using nlohmann::json;

void collect(json& node, std::vector<json*>& all) {
  all.push_back(&node);
  if (node.is_structured())
    for (json& child : node) collect(child, all);
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  void change(json& root) {
    std::vector<json*> all;
    collect(root, all);
    json& node = *all[below(all.size())];
    const json other = *all[below(all.size())];
    if (below(8) == 0) {
      node = other.size() < 64 ? other : json();
    } else if (node.is_number()) {
      node = number(node.get<double>());
    } else if (node.is_array() && !node.empty()) {
      resize(node);
    } else if (node.is_object() && !node.empty()) {
      auto key = node.begin();
      std::advance(key, static_cast<std::ptrdiff_t>(below(node.size())));
      node.erase(key);
    } else if (node.is_string()) {
      node = other.is_string() ? other : json("");
    } else {
      node = !node.is_boolean() || !node.get<bool>();
    }
  }

  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }

 private:
  json number(double value) {
    const json choices[] = {0,      1,         -1,   2,    1e308,      -1e308,     5e-324,        1e-300,
                            1e150,  -0.0,      0.5,  1e16, 4294967296, 2147483647, -2147483648.0, value * 2,
                            -value, value + 1, 1e-9, 1e9,  value / 2,  json(),     "1",           65536};
    return choices[below(std::size(choices))];
  }
  void resize(json& node) {
    const std::size_t i = below(node.size());
    switch (below(3)) {
      case 0:
        node.erase(i);
        break;
      case 1:
        node.push_back(json(node[i]));
        break;
      default:
        std::swap(node[i], node[below(node.size())]);
    }
  }

  std::minstd_rand random_;
};

}  // namespace

std::string mutate_json(std::string_view text, unsigned seed) {
  json root = json::parse(text, nullptr, false);
  if (root.is_discarded()) return "";
  Mutator mutator(seed);
  for (std::size_t changes = 1 + mutator.below(3); changes > 0; --changes) mutator.change(root);
  return root.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace linkgistic::fuzz
