cmake --install "$LINKGISTIC_ROOT/build" --prefix "$PWD/prefix" >/dev/null  # as make install does
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(embedded CXX)
find_package(linkgistic REQUIRED)
add_executable(embedded main.cpp)
target_link_libraries(embedded PRIVATE linkgistic::linkgistic)
END
cat >main.cpp <<'END'
#include <iostream>
#include <linkgistic/linkgistic.hpp>
int main() {
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8}, y{1.1, 1.9, 3.2, 3.9, 5.1, 6.2, 6.8, 8.1};
  const auto curve = linkgistic::MonotoneRegression().fit(x, y).predict(std::vector{4.5}, 0.9);
  std::cout << "curve at 4.5: " << curve.estimate[0] << " (" << curve.lower[0] << " to " << curve.upper[0] << ")\n";
}
END
cmake -B build -DCMAKE_PREFIX_PATH="$PWD/prefix" >/dev/null
cmake --build build >/dev/null
build/embedded
