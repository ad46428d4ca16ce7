// A page as a real browser sees it: Chromium without a screen.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "io/run_child.hpp"
#include "table/files.hpp"

namespace linkgistic {

// NOLINTNEXTLINE(bugprone-exception-escape): that of the JSON library's move
struct PageSight {
  nlohmann::json seen;               // what the probe below found
  std::vector<std::string> console;  // every message of the page
};

struct Screen {
  int width = 1280;
  bool dark = false;
};

/// Runs in the page, after it is laid out and `acted` is set. Everything folded is unfolded first. A
/// picture's `drawn` is the number of its parts that take up room.
inline constexpr const char* page_probe = R"(
const scripts = document.scripts.length - 1, folded = document.querySelectorAll('details').length;
const text_folded = document.body.innerText;
for (const part of document.querySelectorAll('details')) part.open = true;
const pictures = [...document.querySelectorAll('figure svg')].map(svg => {
  const box = svg.getBoundingClientRect();
  const parts = [...svg.querySelectorAll('path, polygon, circle, use, text')];
  return {width: box.width, height: box.height, words: svg.getAttribute('aria-label'),
          drawn: parts.filter(p => { const b = p.getBoundingClientRect(); return b.width + b.height > 0; }).length};
});
const values = {};
for (const cell of document.querySelectorAll('[data-key]')) values[cell.dataset.key] = Number(cell.dataset.value);
const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
const seen = {pictures, values, acted, folded, text_folded, title: document.title, text: document.body.innerText,
  repeated_ids: ids.length - new Set(ids).size,
  scripts, addresses: performance.getEntriesByType('resource').length,
  page_width: document.documentElement.scrollWidth, screen_width: window.innerWidth,
  background: getComputedStyle(document.body).backgroundColor, ink: getComputedStyle(document.body).color};
document.documentElement.innerHTML = '<body></body>';
document.body.textContent = 'BEGIN' + encodeURIComponent(JSON.stringify(seen)) + 'END';
</script>)";

inline std::string percent_decoded(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    result += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
    i += 2;
  }
  return result;
}

/// Shows the page to Chromium; what the JavaScript `act`, the body of a function, returns is seen["acted"].
/// Throws if there is no Chromium: scripts/setup installs it.
inline PageSight look_at(const TemporaryFolder& folder, std::string page, Screen screen = {},
                         const std::string& act = "") {
  const std::size_t end = page.rfind("</body>");
  if (end == std::string::npos) throw std::runtime_error("the page has no end");
  page.insert(end, "<script>\nconst acted = (() => {" + act + "})() ?? null;\n" + page_probe);
  const std::string path = write_text(folder.file("probed.html"), page);
  std::vector<std::string> arguments{
      "chromium-headless-shell",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--enable-logging=stderr",
      "--host-resolver-rules=MAP * ~NOTFOUND",
      "--window-size=" + std::to_string(screen.width) + ",1000",
      std::string("--blink-settings=preferredColorScheme=") + (screen.dark ? "0" : "1"),
      "--dump-dom",
      "file://" + path};
  const auto result = run_child(arguments, "");
  if (!result) throw std::runtime_error("there is no chromium-headless-shell: run scripts/setup test");
  const std::size_t begin = result->output.find("BEGIN"), finish = result->output.rfind("END");
  if (begin == std::string::npos || finish == std::string::npos)
    throw std::runtime_error("Chromium showed nothing: " + result->errors);
  PageSight sight;
  sight.seen = nlohmann::json::parse(percent_decoded(result->output.substr(begin + 5, finish - begin - 5)));
  std::istringstream lines(result->errors);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("CONSOLE") != std::string::npos) sight.console.push_back(line);
  }
  return sight;
}

}  // namespace linkgistic
