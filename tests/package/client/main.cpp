// The least that a client does with the library; its last line of output is what the tests look for.
#include <iostream>
#include <string>

#include <linkgistic/error.hpp>
#include <linkgistic/version.hpp>

namespace {

bool catches_what_the_library_throws() {
  try {
    throw linkgistic::InputError("cars.csv:3: no number");
  } catch (const linkgistic::Error& error) {
    return std::string(error.what()) == "cars.csv:3: no number";
  }
}

}  // namespace

int main() {
  if (!catches_what_the_library_throws()) return 1;
  std::cout << "linkgistic " << linkgistic::version << " works for a client\n";
}
