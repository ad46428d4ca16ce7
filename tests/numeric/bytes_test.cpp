#include "numeric/bytes.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "numeric/types.hpp"

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

struct Algebra {
  Vector v;
  Matrix m;
  std::optional<Inner> some, none;
  std::string text;
  auto fields() { return std::tie(v, m, some, none, text); }
};

TEST(Bytes, OfVectorsMatricesTextAndOptionalValues) {
  Algebra value{Vector::LinSpaced(3, -1, 1), Matrix::Random(4, 4), Inner{2, {1}}, {}, "a row"};
  const std::string bytes = to_bytes(value);
  const Algebra back = from_bytes<Algebra>(bytes);
  EXPECT_EQ(back.v, value.v);
  EXPECT_EQ(back.m, value.m);
  ASSERT_TRUE(back.some.has_value());
  EXPECT_EQ(back.some->values, value.some->values);
  EXPECT_FALSE(back.none.has_value());
  EXPECT_EQ(back.text, value.text);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(from_bytes<Algebra>(bytes.substr(0, size)), InputError) << size;
  EXPECT_THROW(from_bytes<Matrix>(std::string(8, '\x7f')), InputError);
}

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

TEST(Bytes, OfVectorsAndMatricesKeepTheirShape) {
  const Matrix matrix{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(from_bytes<Matrix>(to_bytes(matrix)), matrix);
  EXPECT_EQ(from_bytes<Matrix>(to_bytes(Matrix(0, 3))).cols(), 3);
  const Vector vector{{0.1, -0.0}};
  EXPECT_EQ(to_bytes(from_bytes<Vector>(to_bytes(vector))), to_bytes(vector));
  const std::string bytes = to_bytes(matrix);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(from_bytes<Matrix>(bytes.substr(0, size)), InputError) << size;
  EXPECT_THROW(from_bytes<Matrix>(std::string(16, '\xff')), InputError);
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
