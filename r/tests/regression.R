# Monotone regression: fits, predictions, files, mistakes.
library(linkgistic)

fails <- function(code, words) {
  message <- tryCatch({ force(code); "no error" }, error = conditionMessage)
  if (!grepl(words, message, fixed = TRUE)) stop("expected \"", words, "\", got \"", message, "\"")
}

fit <- monotone_regression(mpg ~ wt, data = mtcars)
p <- predict(fit, mtcars, interval = 0.9)
stopifnot(identical(names(p), c("estimate", "lower", "upper")), nrow(p) == 32,
          all(p$lower < p$estimate), all(p$estimate < p$upper),
          all(diff(p$estimate[order(mtcars$wt)]) <= 0),               # heavier cars go less far
          cor(p$estimate, mtcars$mpg) > 0.85)
# Vectors, one column, the rows of the fit: the same numbers.
stopifnot(identical(predict(fit, mtcars), p$estimate), identical(predict(fit), p$estimate),
          identical(predict(fit, mtcars$wt), p$estimate), identical(predict(fit, data.frame(wt = mtcars$wt)), p$estimate))
# The other interface, by another name of the columns.
other <- monotone_regression(mtcars$wt, mtcars$mpg)
stopifnot(identical(predict(other, 3), predict(fit, 3)))

# A wider interval is a wider band, and one observation varies more than the curve.
wide <- predict(fit, mtcars, interval = 0.99, observations = TRUE)
stopifnot(all(wide$lower < p$lower), all(p$upper < wide$upper), all(wide$obs_lower < wide$lower),
          all(wide$upper < wide$obs_upper))

# A missing x has a missing prediction.
stopifnot(identical(is.na(predict(fit, c(3, NA, 4))), c(FALSE, TRUE, FALSE)))
stopifnot(identical(is.na(predict(fit, c(3, NA), interval = 0.9)$upper), c(FALSE, TRUE)))

# Weights of 2 are rows twice; rows with NA are left out.
twice <- rbind(mtcars, mtcars)
stopifnot(all.equal(predict(monotone_regression(mpg ~ wt, data = mtcars, weights = rep(2, 32)), 3),
                    predict(monotone_regression(mpg ~ wt, data = twice), 3), tolerance = 1e-5))
gap <- mtcars
gap$wt[3] <- NA
stopifnot(identical(predict(monotone_regression(mpg ~ wt, data = gap), 3),
                    predict(monotone_regression(mpg ~ wt, data = mtcars[-3, ]), 3)))

# x at a level.
at <- inverse(fit, c(20, 1000))
stopifnot(identical(names(at), c("level", "estimate", "lower", "upper")), at$lower[1] < at$estimate[1],
          at$estimate[1] < at$upper[1], abs(predict(fit, at$estimate[1]) - 20) < 1e-6, is.nan(at$estimate[2]))

# Options.
held <- monotone_regression(mpg ~ wt, data = mtcars, prior = "isgp", harmonics = 8, fixed = c(noise = 2.5), threads = 1)
stopifnot(predict(held, 3) != predict(fit, 3), grepl("noise +2.5 +held", summary(held)$text))

# Counts with exposures, and shares of trials.
set.seed(1)
claims <- data.frame(age = runif(200, 1, 10), years = sample(1:5, 200, replace = TRUE), trials = 6)
claims$count <- rpois(200, claims$years * claims$age / 4)
counts <- monotone_regression(count ~ age, data = claims, exposure = years, response = "poisson")
stopifnot(all.equal(predict(counts, claims), claims$years * predict(counts, claims["age"])),
          identical(predict(counts, claims), predict(counts)), abs(predict(counts, 5) - 5 / 4) < 0.25,
          any(grepl("for 1 of years", summary(counts)$text)))
claims$successes <- rbinom(200, 6, claims$age / 12)
shares <- monotone_regression(claims$age, claims$successes, trials = claims$trials, response = "binomial")
stopifnot(abs(predict(shares, 6) - 0.5) < 0.1)

# What is printed names the columns.
text <- capture.output(print(fit), summary(fit))
stopifnot(any(grepl("Monotone regression of mpg on wt", text)), any(grepl("hyper-parameter", text)))

# A file, and the object itself, in another session.
file <- tempfile(fileext = ".json")
write_linkgistic(fit, file)
again <- read_linkgistic(file)
stopifnot(inherits(again, "linkgistic_regression"), identical(predict(again, mtcars, interval = 0.9), p))
rds <- tempfile(fileext = ".rds")
saveRDS(fit, rds)
stopifnot(identical(predict(readRDS(rds), mtcars, interval = 0.9), p))
unlink(c(file, rds))

pdf(NULL)
drawn <- plot(fit, main = "Cars", ylim = c(5, 40))
plot(again)
plot(counts)
invisible(dev.off())
stopifnot(identical(names(drawn), c("x", "estimate", "lower", "upper")), nrow(drawn) == 200)

fails(monotone_regression(mpg ~ wt, data = mtcars, harmonix = 3), "there is no option 'harmonix'; is harmonics meant?")
fails(monotone_regression(mpg ~ wt, data = mtcars, harmonics = 0), "harmonics = 0")
fails(monotone_regression(mpg ~ wt, data = mtcars, NULL, 8), "options are given by name")
fails(monotone_regression(1:3, 1:3, exposure = 1:2), "x has 3 values and exposure 2")
fails(monotone_regression(mpg ~ wt + hp, data = mtcars), "one x is expected")
fails(monotone_regression(1:3, 1:4), "x has 3 values and y 4")
fails(monotone_regression(c(1, NaN, 3), 1:3), "x")
fails(monotone_regression(letters, 1:26), "numbers are expected")
fails(predict(fit, data.frame(a = 1, b = 2)), "newdata has no column wt")
fails(predict(fit, 3, interval = 2), "interval")
fails(predict(again), "keeps no rows")
fails(read_linkgistic("there/is/none.json"), "there/is/none.json")
