# Options as the text of JSON that the library reads.

json_text <- function(text) {
  text <- gsub("\\", "\\\\", enc2utf8(text), fixed = TRUE)
  text <- gsub("\"", "\\\"", text, fixed = TRUE)
  text <- gsub("[[:cntrl:]]", " ", text)
  paste0("\"", text, "\"")
}

json_object <- function(values) {
  values <- as.list(values)
  parts <- mapply(function(name, value) paste0(json_text(name), ": ", json_value(name, value)), names(values), values)
  paste0("{", paste(parts, collapse = ", "), "}")
}

json_value <- function(name, value) {
  if (is.null(value)) return("null")
  if (!is.null(names(value))) return(json_object(value))
  if (length(value) != 1 || !(is.character(value) || is.numeric(value) || is.logical(value)) || is.na(value))
    stop("option ", name, ": one number, text, TRUE or FALSE is expected, or a vector with names", call. = FALSE)
  if (is.character(value)) return(json_text(value))
  if (is.logical(value)) return(if (value) "true" else "false")
  if (!is.finite(value)) stop("option ", name, " = ", value, ": it must be finite", call. = FALSE)
  sprintf("%.17g", value)
}

options_json <- function(...) {
  given <- list(...)
  if (length(given) == 0) return(NULL)
  if (is.null(names(given)) || any(names(given) == ""))
    stop("options are given by name, as in harmonics = 8", call. = FALSE)
  json_object(given)
}
