// The least that a client does with the library; its last line of output is what the tests look for.
#include <iostream>
#include <string>
#include <vector>

#include <linkgistic/linkgistic.hpp>

namespace {

const std::vector<double> x{1, 2, 3, 4, 5, 6}, y{1.1, 1.9, 3.2, 3.9, 5.1, 6.0};

// Rows of the client's own making.
class ClientRows final : public linkgistic::RowStream {
 public:
  linkgistic::RowBlock next() override {
    if (done_) return {};
    done_ = true;
    return {x, y, {}};
  }
  void rewind() override { done_ = false; }

 private:
  bool done_ = false;
};

bool fits_saves_and_loads() {
  ClientRows rows;
  const auto fit = linkgistic::MonotoneRegression().fit(rows);
  const auto again = linkgistic::FittedMonotoneRegression::from_json(fit.to_json(), "memory");
  const auto estimate = again.predict(x).estimate;
  return estimate == linkgistic::MonotoneRegression().fit(x, y).predict(x).estimate &&
         estimate.front() < estimate.back();
}

bool catches_what_the_library_throws() {
  try {
    linkgistic::MonotoneRegressionOptions options;
    options.harmonics = -1;
    const linkgistic::MonotoneRegression refused(options);
    return false;
  } catch (const linkgistic::UsageError& error) {
    return std::string(error.what()).starts_with("harmonics = -1");
  }
}

bool catches_bad_rows() {
  try {
    (void)linkgistic::MonotoneRegression().fit(x, std::vector<double>{1});
    return false;
  } catch (const linkgistic::InputError&) {
    return true;
  }
}

}  // namespace

int main() {
  if (!fits_saves_and_loads() || !catches_what_the_library_throws() || !catches_bad_rows()) return 1;
  std::cout << "linkgistic " << linkgistic::version << " works for a client\n";
}
