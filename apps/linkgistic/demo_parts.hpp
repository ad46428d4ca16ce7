// The jobs of the demo, each on data that need no file, and the folder they write into.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "report/figure/figure.hpp"
#include "report/page.hpp"

namespace linkgistic {

/// Made when it is not there.
class DemoFolder {
 public:
  explicit DemoFolder(const std::string& path);
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  /// name.svg and name.png.
  void draw(const Figure& figure, const std::string& name) const;
  /// name-report.html.
  void page(const Page& page, const std::string& name) const;

 private:
  std::filesystem::path path_;
};

/// Where a car of Auto MPG was made, from what it is: logistic and Linkgistic regression on held-out cars.
void demo_classification(const DemoFolder& folder, std::uint64_t seed);

/// Scores that claim too much, before and after calibration.
void demo_calibration(const DemoFolder& folder, std::uint64_t seed);

}  // namespace linkgistic
