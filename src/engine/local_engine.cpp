#include "engine/local_engine.hpp"

#include "engine/cpu/cpu_rows.hpp"

namespace linkgistic {
namespace {

class LocalEngine final : public RowEngine {
 public:
  LocalEngine(EngineRows rows, int threads)
      : shape_(shape_of(rows)), rows_(std::move(rows), shape_, 0, threads) {}

  [[nodiscard]] const RowsShape& shape() const override { return shape_; }
  Answer answer(const Request& request) override {
    return std::visit([&](const auto& r) -> Answer { return total_of(rows_.partial(r), empty_answer(r)); },
                      request);
  }

 private:
  RowsShape shape_;
  CpuRows rows_;
};

}  // namespace

std::unique_ptr<RowEngine> make_local_engine(EngineRows rows, int threads) {
  return std::make_unique<LocalEngine>(std::move(rows), threads);
}

}  // namespace linkgistic
