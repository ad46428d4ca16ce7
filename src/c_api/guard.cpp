#include "c_api/guard.hpp"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include <linkgistic/version.hpp>

namespace linkgistic::c_api {
namespace {

std::string& last_message() {
  static thread_local std::string message;
  return message;
}

int failed(int status, const char* message) noexcept {
  try {
    last_message() = message;
  } catch (...) {
    last_message().clear();  // no memory for it
  }
  return status;
}

}  // namespace

int status_of_exception() noexcept {
  try {
    throw;
  } catch (const InputError& e) {
    return failed(LINKGISTIC_INPUT_ERROR, e.what());
  } catch (const UsageError& e) {
    return failed(LINKGISTIC_USAGE_ERROR, e.what());
  } catch (const std::bad_alloc&) {
    return failed(LINKGISTIC_OTHER_ERROR, "there is not enough memory");
  } catch (const std::exception& e) {
    return failed(LINKGISTIC_OTHER_ERROR, e.what());
  } catch (...) {
    return failed(LINKGISTIC_OTHER_ERROR, "an error without a message");
  }
}

std::function<bool()> stop_function(linkgistic_stop stop, void* context) {
  if (stop == nullptr) return {};
  return [stop, context] { return stop(context) != 0; };
}

char* copied(const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

}  // namespace linkgistic::c_api

int linkgistic_c_api_version() { return LINKGISTIC_C_API_VERSION; }

const char* linkgistic_version() { return linkgistic::version; }

const char* linkgistic_last_error() { return linkgistic::c_api::last_message().c_str(); }

void linkgistic_free_text(char* text) { std::free(text); }
