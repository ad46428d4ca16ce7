# Linkgistic regression: a linear classifier that learns its link.

linkgistic <- function(formula, data = NULL, weights = NULL, ...) {
  call <- match.call()
  frame <- frame_of(call[names(call) %in% c("", "formula", "data", "weights")], parent.frame())
  terms <- attr(frame, "terms")
  label <- factor(model.response(frame))
  x <- without_intercept(model.matrix(terms, frame))
  if (nlevels(label) < 2) stop("formula: the response has one value only, ", levels(label), call. = FALSE)
  handle <- .Call(C_fit_classifier, x, colnames(x), as.integer(label) - 1L, levels(label),
                  row_weights(model.weights(frame), nrow(x)), options_json(...))
  told(new_fit(handle, call = call, terms = terms, xlevels = .getXlevels(terms, frame), x = x))
}

# The library has an intercept of its own.
without_intercept <- function(x) {
  x <- x[, colnames(x) != "(Intercept)", drop = FALSE]
  if (ncol(x) == 0) stop("formula: there are no features", call. = FALSE)
  storage.mode(x) <- "double"
  x
}

predict.linkgistic_classifier <- function(object, newdata, interval = NULL, type = c("prob", "class"), ...)
  class_prediction(object, features(object, newdata), interval, match.arg(type))

# The matrix of features of new rows, NA where a row has one.
features <- function(object, newdata) {
  if (missing(newdata) || is.null(newdata)) {
    if (is.null(object$x)) stop("newdata: a model that was read from a file keeps no rows", call. = FALSE)
    return(object$x)
  }
  if (is.null(object$terms)) return(named_features(.Call(C_feature_names, handle_of(object)), newdata))
  terms <- delete.response(object$terms)
  frame <- model.frame(terms, newdata, na.action = stats::na.pass, xlev = object$xlevels)
  classes <- attr(terms, "dataClasses")
  if (!is.null(classes)) .checkMFClasses(classes, frame)
  without_intercept(model.matrix(terms, frame))
}

# The same for a model that a file has: columns by the names of its features, and "sex=female" or "sexfemale", which is 1
# where the column sex is female.
named_features <- function(names, newdata) {
  if (is.matrix(newdata) && is.null(colnames(newdata))) return(newdata)
  newdata <- as.data.frame(newdata, optional = TRUE)
  columns <- lapply(names, function(name) {
    if (name %in% names(newdata)) return(numbers(newdata[[name]], name))
    for (column in names(newdata)) {
      value <- newdata[[column]]
      if (is.numeric(value) || !startsWith(name, column)) next
      level <- sub("^=", "", substring(name, nchar(column) + 1))
      return(as.double(as.character(value) == level))
    }
    stop("newdata has no column ", name, call. = FALSE)
  })
  matrix(unlist(columns), nrow = nrow(newdata), dimnames = list(NULL, names))
}

coef.linkgistic_classifier <- function(object, ...) {
  handle <- handle_of(object)
  beta <- .Call(C_coefficients, handle)
  rownames(beta) <- c("(Intercept)", .Call(C_feature_names, handle))
  if (ncol(beta) == 1) return(beta[, 1])
  colnames(beta) <- .Call(C_score_names, handle)
  beta
}

plot.linkgistic_classifier <- function(x, score = 1, interval = 0.9, n = 200, col = "#1f5fa8", ...) {
  handle <- handle_of(x)
  range <- .Call(C_range_of, handle, as.integer(score) - 1L)
  at <- seq(range[1], range[2], length.out = n)
  link <- as.data.frame(.Call(C_link_at, handle, as.integer(score) - 1L, at, as.double(interval)))
  drawn <- plot_band(at, link, NULL, "linear score", paste("log odds of", .Call(C_score_names, handle)[score]), col, ...)
  abline(0, 1, lty = 3, col = "grey50")  # logistic regression
  invisible(drawn)
}
