# Linkgistic regression.
library(linkgistic)

set.seed(2)
n <- 300
cars <- data.frame(age = runif(n, 20, 60), fuel = factor(sample(c("petrol", "diesel"), n, replace = TRUE)))
cars$sold <- ifelse(runif(n) < plogis(0.15 * (cars$age - 40) + (cars$fuel == "petrol")), "yes", "no")
fit <- linkgistic(sold ~ age + fuel, data = cars, l2 = 0.1)
beta <- coef(fit)
stopifnot(identical(names(beta), c("(Intercept)", "age", "fuelpetrol")), beta["age"] > 0, beta["fuelpetrol"] > 0)
p <- predict(fit, cars)
stopifnot(identical(dim(p), c(300L, 2L)), identical(colnames(p), c("no", "yes")), all(abs(rowSums(p) - 1) < 1e-12),
          identical(predict(fit), p))
band <- predict(fit, cars[1:4, ], interval = 0.9)
stopifnot(identical(dimnames(band), list(NULL, c("no", "yes"), c("estimate", "lower", "upper"))),
          all(band[, , "lower"] < band[, , "estimate"]), all(band[, , "estimate"] < band[, , "upper"]),
          all.equal(unname(band[, , "estimate"]), unname(p[1:4, ]), tolerance = 1e-6))  # features are single precision
stopifnot(mean(predict(fit, cars, type = "class") == cars$sold) > 0.7)
gap <- cars[1:3, ]
gap$age[2] <- NA
stopifnot(identical(is.na(predict(fit, gap)[, "yes"]), c(FALSE, TRUE, FALSE)), is.na(predict(fit, gap, type = "class")[2]))

# With straight links it is logistic regression.
logistic <- linkgistic(sold ~ age + fuel, data = cars, l2 = 0, v = 0)
reference <- glm(I(sold == "yes") ~ age + fuel, data = cars, family = binomial)
stopifnot(all.equal(unname(predict(logistic, cars)[, "yes"]), unname(fitted(reference)), tolerance = 1e-4))

# A file has the names of the features, by which new rows are read.
file <- tempfile(fileext = ".json")
write_linkgistic(fit, file)
again <- read_linkgistic(file)
stopifnot(identical(predict(again, cars), p), identical(coef(again), beta))
unlink(file)
error <- tryCatch(predict(again, cars["fuel"]), error = conditionMessage)
stopifnot(grepl("newdata has no column age", error))

# Three classes.
flowers <- linkgistic(Species ~ ., data = iris, l2 = 1)
stopifnot(mean(predict(flowers, iris, type = "class") == iris$Species) > 0.9,
          identical(dim(coef(flowers)), c(5L, 3L)), identical(colnames(coef(flowers)), levels(iris$Species)))

pdf(NULL)
plot(fit)
plot(flowers, score = 2)
invisible(dev.off())

error <- tryCatch(linkgistic(sold ~ age, data = cars, l3 = 1), error = conditionMessage)
stopifnot(grepl("there is no option 'l3'", error))
