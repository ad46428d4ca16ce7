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

# A table that each process reads whole, and a bad cell in the file of another process than the first.
"$program" classify 'rows-*.csv' "${options[@]}" --missing drop --model alone-drop.json > /dev/null
"${mpi[@]}" -n 3 "$program" classify 'rows-*.csv' "${options[@]}" --missing drop --model drop.json > /dev/null
cmp alone-drop.json drop.json
mkdir bad
cp rows-*.csv bad
echo "1,2,u,,1" >> bad/rows-2.csv
if "${mpi[@]}" -n 3 "$program" classify bad "${options[@]}" > bad.txt 2>&1; then exit 1; fi
[ "$(grep -c "bad/rows-2.csv: line 8002, column 'y'" bad.txt)" = 1 ]

"${mpi[@]}" -n 3 "$program" regress 'rows-*.csv' --x a --y b --quiet --model curve-3.json > /dev/null
"$program" regress 'rows-*.csv' --x a --y b --quiet --model curve.json > /dev/null
cmp curve.json curve-3.json

# A process is killed as soon as the checkpoint has an answer: the first one, which drives, and another. The kill came in
# time if no model was written and the checkpoint ends before that of a whole fit.
size_of() { stat -c %s "$1" 2> /dev/null || echo 0; }
"$program" classify 'rows-*.csv' "${options[@]}" --checkpoint whole.log --model whole.json > /dev/null
cmp alone.json whole.json
whole=$(size_of whole.log)
kill_and_resume() {
  local rank=$1 left=$2 from=$3 to=$4
  rm -f log resumed.json rank-*.pid
  "${mpi[@]}" -n "$from" bash -c 'echo $$ > rank-$OMPI_COMM_WORLD_RANK.pid; exec "$@"' rank \
    "$program" classify 'rows-*.csv' "${options[@]}" --checkpoint log --model resumed.json > killed.txt 2>&1 &
  local fit=$!
  until [ "$(size_of log)" -gt 500 ] || ! kill -0 $fit 2> /dev/null; do sleep 0.005; done
  kill -9 "$(cat "rank-$rank.pid")" 2> /dev/null || true
  if wait $fit || [ -e resumed.json ] || [ "$(size_of log)" -ge "$whole" ]; then
    [ "$left" -gt 0 ] || { echo "the fit was over before process $rank was killed" >&2; exit 1; }
    kill_and_resume "$rank" $((left - 1)) "$from" "$to"
    return
  fi
  echo "process $rank of $from was killed when $(size_of log) of $whole bytes were in the checkpoint"
  "${mpi[@]}" -n "$to" "$program" classify 'rows-*.csv' "${options[@]}" --checkpoint log --model resumed.json > /dev/null
  cmp alone.json resumed.json
}
kill_and_resume 2 20 3 4
kill_and_resume 0 20 3 1
echo "the program works under mpirun"
