# Calibration of the scores of a classifier, of two classes or of many.

calibrate_scores <- function(score, label, weights = NULL, ...) {
  call <- match.call()
  score_name <- paste(deparse(substitute(score)), collapse = "")
  label_name <- paste(deparse(substitute(label)), collapse = "")
  if (is.data.frame(score)) score <- as.matrix(score)
  if (is.matrix(score) && ncol(score) > 1) return(calibrate_classes(score, label, weights, label_name, call, ...))
  score <- numbers(as.vector(score), "score")
  same_length(score, label, c("score", "label"))
  label <- truth_values(label)
  weights <- row_weights(weights, length(score))
  handle <- .Call(C_fit_calibrator, score, label$number, weights, options_json(...))
  for (role in c("score", "label", "positive", "negative 1")) {
    name <- switch(role, score = score_name, label = label_name, positive = label$names[2], label$names[1])
    .Call(C_name_column, handle, role, name)
  }
  told(new_fit(handle, call = call, data = list(score = score)))
}

# Labels of two kinds as 0 and 1: FALSE and TRUE, the lower and the upper of two numbers, the levels of a factor.
truth_values <- function(label) {
  levels <- if (is.logical(label)) c("FALSE", "TRUE") else levels(factor(label))
  if (anyNA(label)) stop("label: some are missing", call. = FALSE)
  if (is.numeric(label) && all(label %in% 0:1)) levels <- c("0", "1")
  if (length(levels) != 2)
    stop("label: two are expected, not ", paste(levels, collapse = ", "), call. = FALSE)
  list(number = match(as.character(label), levels) - 1L, names = levels)
}

calibrate_classes <- function(score, label, weights, label_name, call, ...) {
  if (nrow(score) != length(label))
    stop("score has ", nrow(score), " rows and label ", length(label), " values", call. = FALSE)
  classes <- colnames(score)
  if (is.null(classes)) classes <- levels(factor(label))
  if (length(classes) != ncol(score))
    stop("score has ", ncol(score), " columns and label ", length(classes), " classes; name the columns", call. = FALSE)
  number <- match(as.character(label), classes) - 1L
  if (anyNA(number))
    stop("label: ", label[which(is.na(number))[1]], " is none of ", paste(classes, collapse = ", "), call. = FALSE)
  values <- score
  storage.mode(values) <- "double"
  handle <- .Call(C_fit_class_calibrator, values, number, classes, row_weights(weights, nrow(score)), options_json(...))
  .Call(C_name_column, handle, "label", label_name)
  for (c in seq_along(classes)) .Call(C_name_column, handle, paste("score", c), classes[c])
  told(new_fit(handle, call = call, data = list(score = unname(values))))
}

predict.linkgistic_calibrator <- function(object, newdata, interval = NULL, ...)
  curve_prediction(object, single_column(object, newdata, "score"), interval)

predict.linkgistic_class_calibrator <- function(object, newdata, interval = NULL, type = c("prob", "class"), ...) {
  if (missing(newdata)) newdata <- object$data$score
  if (is.null(newdata)) stop("newdata: a model that was read from a file keeps no rows", call. = FALSE)
  classes <- .Call(C_class_names, handle_of(object))
  newdata <- as.matrix(newdata)
  if (all(classes %in% colnames(newdata))) newdata <- newdata[, classes, drop = FALSE]
  class_prediction(object, newdata, interval, match.arg(type))
}

# Probabilities (rows, classes), with an interval (rows, classes, 3), or the most probable class as a factor.
class_prediction <- function(object, values, interval, type) {
  classes <- .Call(C_class_names, handle_of(object))
  if (type == "class") interval <- NULL
  found <- predict_complete(object, values, interval)
  if (type == "class") {
    best <- apply(found[, , 1, drop = FALSE], 1, function(p) if (anyNA(p)) NA_integer_ else which.max(p))
    return(factor(classes[best], levels = classes))
  }
  if (!is.null(interval)) {
    dimnames(found) <- list(NULL, classes, c("estimate", "lower", "upper"))
    return(found)
  }
  matrix(found, ncol = length(classes), dimnames = list(NULL, classes))
}

plot.linkgistic_calibrator <- function(x, interval = 0.9, n = 200, col = "#1f5fa8", ...) {
  range <- .Call(C_range_of, handle_of(x), 0L)
  at <- seq(range[1], range[2], length.out = n)
  name <- .Call(C_column, handle_of(x), "score")
  drawn <- plot_band(at, predict(x, at, interval), NULL, if (is.null(name)) "score" else name, "probability", col, ...)
  if (!is.null(x$data)) rug(x$data$score[is.finite(x$data$score)], ticksize = 0.02, quiet = TRUE)
  invisible(drawn)
}

plot.linkgistic_class_calibrator <- function(x, ...)
  stop("a calibrator of many classes has no figure of one curve; look at predict(fit, interval = 0.9)", call. = FALSE)
