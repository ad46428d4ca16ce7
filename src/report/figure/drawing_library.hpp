// Cairo and Pango, loaded when the first figure is made: they are 35 libraries, whose loading would take
// longer than the start of everything else, and most runs draw nothing.
#pragma once

#include <cairo-pdf.h>
#include <cairo.h>
#include <pango/pangocairo.h>

namespace linkgistic {

#define LINKGISTIC_DRAWING_FUNCTIONS(USE)       \
  USE(cairo_arc)                                \
  USE(cairo_close_path)                         \
  USE(cairo_create)                             \
  USE(cairo_destroy)                            \
  USE(cairo_fill)                               \
  USE(cairo_font_options_create)                \
  USE(cairo_font_options_destroy)               \
  USE(cairo_font_options_set_antialias)         \
  USE(cairo_font_options_set_hint_metrics)      \
  USE(cairo_font_options_set_hint_style)        \
  USE(cairo_image_surface_create)               \
  USE(cairo_line_to)                            \
  USE(cairo_move_to)                            \
  USE(cairo_new_path)                           \
  USE(cairo_paint)                              \
  USE(cairo_pdf_surface_create_for_stream)      \
  USE(cairo_pdf_surface_set_metadata)           \
  USE(cairo_restore)                            \
  USE(cairo_rotate)                             \
  USE(cairo_save)                               \
  USE(cairo_scale)                              \
  USE(cairo_set_dash)                           \
  USE(cairo_set_line_cap)                       \
  USE(cairo_set_line_join)                      \
  USE(cairo_set_line_width)                     \
  USE(cairo_set_source_rgba)                    \
  USE(cairo_status)                             \
  USE(cairo_status_to_string)                   \
  USE(cairo_stroke)                             \
  USE(cairo_surface_destroy)                    \
  USE(cairo_surface_finish)                     \
  USE(cairo_surface_flush)                      \
  USE(cairo_surface_status)                     \
  USE(cairo_surface_write_to_png_stream)        \
  USE(cairo_translate)                          \
  USE(g_free)                                   \
  USE(g_object_unref)                           \
  USE(g_utf8_make_valid)                        \
  USE(pango_cairo_context_set_font_options)     \
  USE(pango_cairo_font_map_new)                 \
  USE(pango_cairo_show_layout_line)             \
  USE(pango_context_set_round_glyph_positions)  \
  USE(pango_font_description_free)              \
  USE(pango_font_description_new)               \
  USE(pango_font_description_set_absolute_size) \
  USE(pango_font_description_set_family_static) \
  USE(pango_font_map_create_context)            \
  USE(pango_layout_get_extents)                 \
  USE(pango_layout_get_line_readonly)           \
  USE(pango_layout_new)                         \
  USE(pango_layout_set_font_description)        \
  USE(pango_layout_set_single_paragraph_mode)   \
  USE(pango_layout_set_text)

/// The functions of the libraries that figures use, by their names.
struct DrawingLibrary {
#define LINKGISTIC_POINTER(name) decltype(&::name) name = nullptr;  // NOLINT(bugprone-macro-parentheses)
  LINKGISTIC_DRAWING_FUNCTIONS(LINKGISTIC_POINTER)
#undef LINKGISTIC_POINTER
};

/// Loads the libraries on first use; an InputError where they are not installed.
const DrawingLibrary& drawing();

}  // namespace linkgistic
