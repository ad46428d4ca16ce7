# A fitted model: a handle of the library, and its text, from which the handle is made again after readRDS().

classes_of_kinds <- c("monotone regression" = "linkgistic_regression", "monotone calibrator" = "linkgistic_calibrator",
                      "class calibrator" = "linkgistic_class_calibrator", "linkgistic classifier" = "linkgistic_classifier")

new_fit <- function(handle, ...) {
  kept <- new.env(parent = emptyenv())
  kept$handle <- handle
  fit <- structure(list(kept = kept, json = .Call(C_to_json, handle), kind = .Call(C_kind, handle), ...))
  class(fit) <- c(classes_of_kinds[[fit$kind]], "linkgistic_fit")
  fit
}

# A fit just made, whose warnings the user sees.
told <- function(fit) {
  for (text in strsplit(.Call(C_warnings_text, handle_of(fit)), "\n", fixed = TRUE)[[1]]) warning(text, call. = FALSE)
  fit
}

handle_of <- function(fit) {
  if (.Call(C_is_empty, fit$kept$handle)) fit$kept$handle <- .Call(C_from_json, fit$json)
  fit$kept$handle
}

numbers <- function(x, name) {
  if (!is.numeric(x) && !is.logical(x)) stop(name, ": numbers are expected", call. = FALSE)
  as.double(x)
}

# Weights of rows, or NULL.
row_weights <- function(weights, rows) {
  if (is.null(weights)) return(NULL)
  if (length(weights) != rows)
    stop("weights: ", length(weights), " are given for ", rows, " rows", call. = FALSE)
  numbers(weights, "weights")
}

same_length <- function(x, y, names) {
  if (length(x) != length(y))
    stop(names[1], " has ", length(x), " values and ", names[2], " ", length(y), call. = FALSE)
}

read_linkgistic <- function(file) new_fit(.Call(C_load_model, path.expand(file)), call = match.call())

write_linkgistic <- function(fit, file) {
  stopifnot(inherits(fit, "linkgistic_fit"))
  .Call(C_save_model, handle_of(fit), path.expand(file))
  invisible(fit)
}

linkgistic_version <- function() .Call(C_version)

summary.linkgistic_fit <- function(object, ...) {
  handle <- handle_of(object)
  structure(list(call = object$call, text = .Call(C_summary_text, handle), warnings = .Call(C_warnings_text, handle)),
            class = "summary.linkgistic_fit")
}

print.summary.linkgistic_fit <- function(x, ...) {
  cat("Call: ", paste(deparse(x$call), collapse = "\n  "), "\n\n", x$text, sep = "")
  for (text in strsplit(x$warnings, "\n", fixed = TRUE)[[1]]) cat("\n  warning: ", text, "\n", sep = "")
  invisible(x)
}

# The first lines of the summary.
print.linkgistic_fit <- function(x, ...) {
  lines <- strsplit(.Call(C_summary_text, handle_of(x)), "\n", fixed = TRUE)[[1]]
  lines <- lines[cumsum(lines == "") == 0]
  cat("Call: ", paste(deparse(x$call), collapse = "\n  "), "\n\n", paste0(lines, collapse = "\n"), "\n", sep = "")
  invisible(x)
}
