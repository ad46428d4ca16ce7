#!/usr/bin/env bash
# cpp_blocks_test.sh WHERE FILE.md...: compiles every block marked ```cpp of the pages against the installation in WHERE
# and runs it in a folder with train.csv and test.csv. What is no whole program becomes the body of one that knows x, y,
# scores and labels. CXX and CXXFLAGS are honoured.
set -euo pipefail
where=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
lib=$(dirname "$(dirname "$(find "$where" -name linkgistic.pc)")")
export PKG_CONFIG_PATH=$lib/pkgconfig
read -ra flags <<<"$(pkg-config --cflags --libs linkgistic)"
for name in train test; do
  awk -v seed="$name" 'BEGIN { print "a,b,y"; for (i = 0; i < 200; i++) { a = (i * 37) % 100; b = (i * 61 + length(seed)) % 50;
    print a "," b "," (a + b + (i * 17) % 40 > 90 ? "yes" : "no") } }' >"$folder/$name.csv"
done
count=0
for page in "$@"; do
  rm -f "$folder"/block-*
  awk -v folder="$folder" '/^```/ { inside = ($0 == "```cpp"); blocks += inside; next }
    inside { print > (folder "/block-" blocks) }' "$page"
  for block in "$folder"/block-*; do
    [ -e "$block" ] || continue
    {
      printf '#include <cstdint>\n#include <iostream>\n#include <vector>\n'
      if grep -q 'int main' "$block"; then
        cat "$block"
      else
        grep '^#include' "$block" || true
        cat <<'END'
int main() {
  std::vector<double> x, y, scores;
  std::vector<std::uint8_t> labels;
  for (int i = 0; i < 60; ++i) {
    x.push_back(i / 10.0);
    y.push_back(i / 10.0 + (i * 7 % 5) / 5.0);
    scores.push_back(i / 10.0 - 3);
    labels.push_back(i + (i * 7 % 30) > 45 ? 1 : 0);
  }
END
        grep -v '^#include' "$block" || true
        echo '}'
      fi
    } >"$folder/block.cpp"
    echo "== block $((++count)), $page"
    # shellcheck disable=SC2086
    $CXX -std=c++20 $CXXFLAGS "$folder/block.cpp" -Wl,-rpath,"$lib" "${flags[@]}" -o "$folder/block"
    (cd "$folder" && ./block)
  done
done
[ "$count" -gt 0 ] || { echo "there are no blocks"; exit 1; }
echo "all blocks ran"
