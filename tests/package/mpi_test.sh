#!/usr/bin/env bash
# The program under mpirun: the same model file for any number of processes, one error message, and after a process is
# killed the checkpoint resumes to the same bytes.
#   mpi_test.sh PROGRAM
set -euo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMP_WAIT_POLICY=passive
mpi=(mpirun --allow-run-as-root --oversubscribe)

awk 'BEGIN { srand(3); for (f = 0; f < 3; ++f) { file = "rows-" f ".csv"; print "a,b,kind,y,w" > file
  for (i = 0; i < 8000; ++i) { a = rand() + rand() + rand() - 1.5; b = rand()
    k = substr("uvw", 1 + int(3 * rand()), 1)
    print a "," b "," k "," (3 * a + (k == "u") + rand() > 1.0) "," int(4 * rand()) > file } } }'
options=(--label y --weights w --harmonics 4 --em-iterations 2 --threads 1 --quiet)

"$program" classify 'rows-*.csv' "${options[@]}" --model alone.json > /dev/null
for n in 1 3 4; do
  "${mpi[@]}" -n $n "$program" classify 'rows-*.csv' "${options[@]}" --model "ranks-$n.json" > "out-$n.txt"
  cmp alone.json "ranks-$n.json"
  [ "$(grep -c 'coefficients\|rows' "out-$n.txt")" = "$(grep -c 'coefficients\|rows' out-1.txt)" ]  # one rank prints
done

if "${mpi[@]}" -n 3 "$program" classify 'none-*.csv' --label y > none.txt 2>&1; then exit 1; fi
[ "$(grep -c 'no file has such a name' none.txt)" = 1 ]

"${mpi[@]}" -n 3 "$program" regress 'rows-*.csv' --x a --y b --quiet --model curve-3.json > /dev/null
"$program" regress 'rows-*.csv' --x a --y b --quiet --model curve.json > /dev/null
cmp curve.json curve-3.json

# A process is killed as soon as the checkpoint has an answer.
"${mpi[@]}" -n 3 bash -c 'echo $$ > rank-$OMPI_COMM_WORLD_RANK.pid; exec "$@"' rank \
  "$program" classify 'rows-*.csv' "${options[@]}" --checkpoint log --model resumed.json > /dev/null 2>&1 &
fit=$!
for _ in $(seq 600); do
  if [ -s log ] && [ "$(stat -c %s log)" -gt 2000 ]; then break; fi
  sleep 0.02
done
kill -9 "$(cat rank-2.pid)" 2> /dev/null || true
wait $fit || true
"${mpi[@]}" -n 4 "$program" classify 'rows-*.csv' "${options[@]}" --checkpoint log --model resumed.json > /dev/null
cmp alone.json resumed.json
