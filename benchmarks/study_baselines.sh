#!/usr/bin/env bash
# Every classifier on MNIST, 0 against the rest, and Fashion-MNIST, odd against even: the table of docs/baselines.md.
#   benchmarks/study_baselines.sh [DATA]
# DATA (or LINKGISTIC_DATA) has the folders mnist and fmnist with the four IDX files each. METHODS, ITERATIONS and
# SCALING may be set in the environment.
set -euo pipefail
data=${1:-${LINKGISTIC_DATA:?give the folder of the data}}
program=$(dirname "$0")/../build/linkgistic
compare() {  # FOLDER L2 FLAGS...
  local folder=$data/$1 l2=$2
  shift 2
  "$program" compare "$folder"/train-images-idx3-ubyte.gz "$folder"/t10k-images-idx3-ubyte.gz \
    --labels "$folder"/train-labels-idx1-ubyte.gz --test-labels "$folder"/t10k-labels-idx1-ubyte.gz \
    --method "${METHODS:-all}" --l2 "$l2" --iterations "${ITERATIONS:-100}" --scaling "${SCALING:-spectral}" --quiet "$@"
}
echo "MNIST, 0 against the rest"
compare mnist 3 --class 0
echo "Fashion-MNIST, odd against even"
compare fmnist 10 --binary 1,3,5,7,9
