# Monotone regression.

monotone_regression <- function(x, ...) UseMethod("monotone_regression")

monotone_regression.default <- function(x, y, weights = NULL, ...) {
  x_name <- paste(deparse(substitute(x)), collapse = "")
  y_name <- paste(deparse(substitute(y)), collapse = "")
  fit_curve(x, y, weights, c(x = x_name, y = y_name), match.call(), ...)
}

monotone_regression.formula <- function(formula, data = NULL, weights = NULL, ...) {
  call <- match.call()
  frame <- frame_of(call, parent.frame())
  if (ncol(frame) - ("(weights)" %in% names(frame)) != 2)
    stop("formula: one x is expected, as in y ~ x", call. = FALSE)
  fit_curve(frame[[2]], model.response(frame), model.weights(frame), c(x = names(frame)[2], y = names(frame)[1]), call, ...)
}

# The frame of the formula, the data and the weights of a call.
frame_of <- function(call, where) {
  wanted <- call[c(1L, match(c("formula", "data", "weights"), names(call), 0L))]
  if (is.null(wanted$formula)) names(wanted)[2] <- "formula"
  wanted[[1]] <- quote(stats::model.frame)
  eval(wanted, where)
}

fit_curve <- function(x, y, weights, names, call, ...) {
  same_length(x, y, c("x", "y"))
  x <- numbers(x, "x")
  y <- numbers(y, "y")
  weights <- row_weights(weights, length(x))
  handle <- .Call(C_fit_regression, x, y, weights, options_json(...))
  for (role in names(names)) .Call(C_name_column, handle, role, names[[role]])
  call[[1]] <- quote(monotone_regression)
  told(new_fit(handle, call = call, data = list(x = x, y = y)))
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
  x <- single_column(object, newdata, "x")
  result <- curve_prediction(object, x, interval)
  if (!observations) return(result)
  if (is.null(interval)) stop("observations = TRUE: an interval is needed, as in interval = 0.9", call. = FALSE)
  whole <- !is.na(x)
  bands <- matrix(NA_real_, length(x), 2, dimnames = list(NULL, c("obs_lower", "obs_upper")))
  bands[whole, ] <- .Call(C_predict_observations, handle_of(object), x[whole], as.double(interval))
  cbind(result, bands)
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
  plot_band(at, predict(x, at, interval), x$data, names$x, names$y, col, ...)
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
