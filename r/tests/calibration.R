# Calibration of two classes and of many.
library(linkgistic)

set.seed(1)
score <- rnorm(400)
label <- factor(ifelse(runif(400) < plogis(2 * score - 1), "yes", "no"))
fit <- calibrate_scores(score, label)
p <- predict(fit, c(-2, 0, 2), interval = 0.9)
stopifnot(all(diff(p$estimate) > 0), all(p$lower < p$estimate), all(p$estimate < p$upper), abs(p$estimate[2] - plogis(-1)) < 0.1)
stopifnot(identical(predict(fit, c(-2, 0, 2)), p$estimate), predict(fit, Inf) < 1, length(predict(fit)) == 400)
# The labels may be numbers or truth values.
for (same in list(label == "yes", as.integer(label == "yes"), as.character(label)))
  stopifnot(identical(predict(calibrate_scores(score, same), 0.3), predict(fit, 0.3)))
stopifnot(any(grepl("Calibration of score for label", capture.output(summary(fit)))))

file <- tempfile(fileext = ".json")
write_linkgistic(fit, file)
stopifnot(identical(predict(read_linkgistic(file), data.frame(score = c(-2, 0, 2)), interval = 0.9), p))
unlink(file)

error <- tryCatch(calibrate_scores(score, rep(1:4, 100)), error = conditionMessage)
stopifnot(grepl("two are expected, not 1, 2, 3, 4", error))

# Many classes: overconfident probabilities.
truth <- sample(c("ape", "bee", "cat"), 600, replace = TRUE)
logits <- outer(truth, c("ape", "bee", "cat"), "==") + matrix(rnorm(1800), 600)
claims <- exp(3 * logits) / rowSums(exp(3 * logits))
colnames(claims) <- c("ape", "bee", "cat")
many <- calibrate_scores(claims, truth, inference = "laplace")
q <- predict(many, claims)
stopifnot(identical(colnames(q), c("ape", "bee", "cat")), all(abs(rowSums(q) - 1) < 1e-12))
log_loss <- function(p) -mean(log(p[cbind(1:600, match(truth, colnames(p)))]))
stopifnot(log_loss(q) < log_loss(claims) - 0.1)
band <- predict(many, claims[1:5, ], interval = 0.9)
stopifnot(identical(dim(band), c(5L, 3L, 3L)), all(band[, , "lower"] <= band[, , "upper"]))
stopifnot(identical(levels(predict(many, claims[1:5, ], type = "class")), c("ape", "bee", "cat")))

pdf(NULL)
plot(fit)
invisible(dev.off())
