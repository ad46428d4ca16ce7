// A page shows what its blocks hold, and a picture drawn beforehand as it shows the picture.
#include "report/page.hpp"

#include <gtest/gtest.h>

#include "report/figures.hpp"

namespace linkgistic {
namespace {

Page page_of(PageBlock block) {
  return {"title", "subtitle", {{"section", {Paragraph{"before"}, std::move(block), Paragraph{"after"}}}}};
}

TEST(Page, ShowsAPictureDrawnBeforehandAsThePicture) {
  const Picture picture{full_figure(), "a caption & more", "what it shows"};
  const std::string page = html(page_of(picture));
  EXPECT_EQ(count(page, "<svg"), 1U);
  EXPECT_EQ(count(page, "a caption &amp; more"), 1U);
  EXPECT_EQ(count(page, "aria-label=\"what it shows\""), 1U);
  EXPECT_EQ(html(page_of(drawn(picture))), page);
}

TEST(Page, DrawsADrawnPictureNoMore) {
  const std::string page = html(page_of(DrawnPicture{"<svg>the very one</svg>", "a caption"}));
  EXPECT_EQ(count(page, "<svg>the very one</svg>"), 1U);
}

}  // namespace
}  // namespace linkgistic
