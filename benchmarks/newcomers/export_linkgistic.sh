linkgistic classify auto-mpg.csv --label origin --class 1 --drop car_name --missing impute --model m.json >/dev/null
linkgistic export m.json -o m.h --name usa
cat >main.c <<'END'
#include <stdio.h>
#include "m.h"
int main(void) {
  double duster[] = {22, 6, 198, 95, 0, 2833, 15.5, 70}, p[2];  // the header names the features in order
  usa(duster, p);
  printf("P(USA) = %.4f", p[1]);
}
END
cc main.c -lm -o main
printf '%s in C, %.4f by predict\n' "$(./main)" "$(linkgistic predict m.json auto-mpg.csv | sed -n 17p | cut -d , -f 2)"
