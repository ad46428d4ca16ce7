linkgistic regress auto-mpg.csv --x weight --y mpg --model mpg.json >/dev/null
linkgistic plot mpg.json auto-mpg.csv -o fit.png
printf 'weight\n3000\n' | linkgistic predict mpg.json - --interval 0.9
