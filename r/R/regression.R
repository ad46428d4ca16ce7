# Monotone regression.

monotone_regression <- function(x, ...) UseMethod("monotone_regression")

monotone_regression.default <- function(x, y, weights = NULL, ..., offset = NULL, exposure = NULL, trials = NULL) {
  call <- match.call()
  columns <- list(x = x, y = y, weight = weights, offset = offset, exposure = exposure, trials = trials)
  words <- lapply(list(x = substitute(x), y = substitute(y), weight = substitute(weights), offset = substitute(offset),
                       exposure = substitute(exposure), trials = substitute(trials)), in_words)
  fit_curve(columns, words, call, ...)
}

monotone_regression.formula <- function(formula, data = NULL, weights = NULL, ..., offset = NULL, exposure = NULL,
                                        trials = NULL) {
  call <- match.call()
  frame <- frame_of(call, parent.frame())
  beside <- c(weight = "weights", offset = "offset", exposure = "exposure", trials = "trials")
  if (length(setdiff(names(frame), paste0("(", beside, ")"))) != 2)
    stop("formula: one x is expected, as in y ~ x", call. = FALSE)
  words <- c(list(x = names(frame)[2], y = names(frame)[1]), lapply(beside, function(name) in_words(call[[name]])))
  columns <- c(list(x = frame[[2]], y = frame[[1]]), lapply(beside, function(name) frame[[paste0("(", name, ")")]]))
  fit_curve(columns, words, call, ...)
}

in_words <- function(expression) paste(deparse(expression), collapse = "")

# The frame of the formula, the data and what stands beside them in a call.
frame_of <- function(call, where) {
  wanted <- c("formula", "data", "weights", "offset", "exposure", "trials")
  frame <- call[c(1L, match(wanted, names(call), 0L))]
  if (is.null(frame$formula)) names(frame)[2] <- "formula"
  frame[[1]] <- quote(stats::model.frame)
  eval(frame, where)
}

# Fits columns, of which all but x and y may be NULL, with their names.
fit_curve <- function(columns, words, call, ...) {
  columns <- columns[!vapply(columns, is.null, NA)]
  for (role in names(columns)) {
    columns[[role]] <- numbers(columns[[role]], role)
    same_length(columns$x, columns[[role]], c("x", role))
  }
  handle <- .Call(C_fit_regression, columns$x, columns$y, columns$weight, columns$offset, columns$exposure, columns$trials,
                  options_json(...))
  for (role in names(columns)) .Call(C_name_column, handle, role, words[[role]])
  call[[1]] <- quote(monotone_regression)
  told(new_fit(handle, call = call, data = columns))
}

# The numbers to predict at: a vector, or the column of a data frame that has the model's name of it.
single_column <- function(object, newdata, role) {
  if (missing(newdata) || is.null(newdata)) {
    if (is.null(object$data)) stop("newdata: a model that was read from a file keeps no rows", call. = FALSE)
    return(object$data[[1]])
  }
  if (!is.data.frame(newdata)) return(numbers(newdata, "newdata"))
  name <- .Call(C_column, handle_of(object), role)
  if (is.null(name)) name <- role
  if (!name %in% names(newdata)) {
    if (length(newdata) != 1) stop("newdata has no column ", name, call. = FALSE)
    name <- 1
  }
  numbers(newdata[[name]], "newdata")
}

# Predictions of the rows without NA, (rows, columns, 1 or 3); NA in the others.
predict_complete <- function(object, values, interval) {
  values <- as.matrix(values)
  storage.mode(values) <- "double"
  if (!is.null(interval)) interval <- as.double(interval)
  whole <- complete.cases(values)
  found <- .Call(C_predict_values, handle_of(object), unname(values[whole, , drop = FALSE]), interval)
  if (all(whole)) return(found)
  result <- array(NA_real_, c(nrow(values), dim(found)[2:3]))
  result[whole, , ] <- found
  result
}

curve_prediction <- function(object, values, interval) {
  found <- predict_complete(object, values, interval)
  if (is.null(interval)) return(found[, 1, 1])
  data.frame(estimate = found[, 1, 1], lower = found[, 1, 2], upper = found[, 1, 3])
}

predict.linkgistic_regression <- function(object, newdata, interval = NULL, observations = FALSE, ...) {
  if (observations && is.null(interval))
    stop("observations = TRUE: an interval is needed, as in interval = 0.9", call. = FALSE)
  if (missing(newdata)) newdata <- NULL
  x <- single_column(object, newdata, "x")
  beside <- lapply(c(offset = "offset", exposure = "exposure", trials = "trials"), function(role) {
    if (is.null(newdata)) return(object$data[[role]])
    name <- .Call(C_column, handle_of(object), role)
    if (is.null(name) || !is.data.frame(newdata) || !name %in% names(newdata)) return(NULL)
    numbers(newdata[[name]], name)
  })
  whole <- complete.cases(do.call(cbind, c(list(x), beside)))
  part <- lapply(beside, function(values) values[whole])
  found <- .Call(C_predict_response, handle_of(object), x[whole], part$offset, part$exposure, part$trials,
                 if (!is.null(interval)) as.double(interval))
  result <- matrix(NA_real_, length(x), ncol(found), dimnames = dimnames(found))
  result[whole, ] <- found
  if (is.null(interval)) return(result[, 1, drop = TRUE])
  as.data.frame(if (observations) result else result[, 1:3, drop = FALSE])
}

inverse <- function(object, level, interval = 0.9) UseMethod("inverse")

inverse.linkgistic_regression <- function(object, level, interval = 0.9)
  as.data.frame(.Call(C_inverse_at, handle_of(object), numbers(level, "level"), as.double(interval)))

plot.linkgistic_regression <- function(x, interval = 0.9, n = 200, col = "#1f5fa8", ...) {
  names <- lapply(c(x = "x", y = "y"), function(role) {
    name <- .Call(C_column, handle_of(x), role)
    if (is.null(name)) role else name
  })
  range <- .Call(C_range_of, handle_of(x), 0L)
  at <- seq(range[1], range[2], length.out = n)
  rows <- x$data
  for (role in c("exposure", "trials")) if (!is.null(rows[[role]])) rows$y <- rows$y / rows[[role]]  # as the curve
  plot_band(at, predict(x, at, interval), rows, names$x, names$y, col, ...)
}

# A curve with its band and, below it, the rows.
plot_band <- function(at, curve, rows, xlab, ylab, col, ...) {
  defaults <- list(xlab = xlab, ylab = ylab, ylim = range(curve$lower, curve$upper, rows$y, finite = TRUE))
  given <- list(...)
  do.call(plot, c(list(at, curve$estimate, type = "n"), given, defaults[setdiff(names(defaults), names(given))]))
  if (!is.null(rows$y)) points(rows$x, rows$y, pch = 16, cex = 0.6, col = "grey50")
  polygon(c(at, rev(at)), c(curve$lower, rev(curve$upper)), col = adjustcolor(col, 0.25), border = NA)
  lines(at, curve$estimate, col = col, lwd = 2)
  invisible(data.frame(x = at, curve))
}
