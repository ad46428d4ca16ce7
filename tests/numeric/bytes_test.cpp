#include "numeric/bytes.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace linkgistic {
namespace {

struct Inner {
  double x = 0;
  std::vector<float> values;
  auto fields() { return std::tie(x, values); }
};

struct Outer {
  std::vector<Inner> inner;
  std::uint8_t flag = 0;
  std::shared_ptr<const Inner> shared;
  auto fields() { return std::tie(inner, flag, shared); }
};

TEST(Bytes, AreReadBackToTheSameValues) {
  const Outer value{{{0.1, {1, 2}}, {-0.0, {}}}, 7, std::make_shared<const Inner>(Inner{3, {5}})};
  const Outer back = from_bytes<Outer>(to_bytes(value));
  EXPECT_EQ(back.inner.size(), 2U);
  EXPECT_EQ(back.inner[0].x, 0.1);
  EXPECT_EQ(back.inner[0].values, (std::vector<float>{1, 2}));
  EXPECT_TRUE(std::signbit(back.inner[1].x));
  EXPECT_EQ(back.flag, 7);
  EXPECT_EQ(back.shared->values, (std::vector<float>{5}));
  EXPECT_EQ(to_bytes(back), to_bytes(value));
}

TEST(Bytes, ThatEndTooSoonOrTooLateAreRefused) {
  const std::string bytes = to_bytes(Outer{{{1, {1, 2, 3}}}, 1, std::make_shared<const Inner>()});
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(from_bytes<Outer>(bytes.substr(0, size)), InputError) << size;
  EXPECT_THROW(from_bytes<Outer>(bytes + 'x'), InputError);
  // A length that no bytes can fill asks for no memory.
  EXPECT_THROW(from_bytes<std::vector<double>>(std::string(8, '\xff')), InputError);
}

}  // namespace
}  // namespace linkgistic
