// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small models, and the steps from a text to numbers.
#ifndef GAUDI_TEST_UNIT_CAPI_MODEL_H
#define GAUDI_TEST_UNIT_CAPI_MODEL_H

#include "gaudi-c/Compiler.h"
#include "gaudi-c/Executable.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace gaudi::test {

inline std::string textOf(GaudiStringRef text) {
  return {text.data, text.length};
}

struct DestroyError {
  void operator()(GaudiError *error) const { gaudiErrorDestroy(error); }
};
struct DestroyRecipe {
  void operator()(GaudiRecipe *recipe) const { gaudiRecipeDestroy(recipe); }
};
struct DestroyExecutable {
  void operator()(GaudiExecutable *executable) const {
    gaudiExecutableDestroy(executable);
  }
};
using ErrorOwner = std::unique_ptr<GaudiError, DestroyError>;
using RecipeOwner = std::unique_ptr<GaudiRecipe, DestroyRecipe>;
using ExecutableOwner = std::unique_ptr<GaudiExecutable, DestroyExecutable>;

/// A test failure with everything that the error says.
inline ::testing::AssertionResult isFine(GaudiError *error) {
  const ErrorOwner owner(error);
  if (!error)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << textOf(gaudiErrorMessage(error)) << "\n"
         << textOf(gaudiErrorDetails(error));
}

/// The message of an error of that code; "" and a test failure if it is none.
inline std::string messageOf(GaudiError *error, GaudiErrorCode code) {
  const ErrorOwner owner(error);
  EXPECT_TRUE(error) << "an error was expected";
  if (!error)
    return "";
  EXPECT_EQ(gaudiErrorCode(error), code)
      << textOf(gaudiErrorMessage(error)) << "\n"
      << textOf(gaudiErrorDetails(error));
  return textOf(gaudiErrorMessage(error));
}

/// That of an argument which is refused.
inline std::string invalid(GaudiError *error) {
  return messageOf(error, GaudiErrorInvalidArgument);
}

inline RecipeOwner compile(const std::string &text,
                           const GaudiCompileOptions *options = nullptr) {
  GaudiRecipe *recipe = nullptr;
  EXPECT_TRUE(isFine(
      gaudiCompile("test.mlir", text.data(), text.size(), options, &recipe)));
  return RecipeOwner(recipe);
}

inline ExecutableOwner load(const RecipeOwner &recipe,
                            const GaudiLoadOptions *options = nullptr) {
  if (!recipe)
    return nullptr;
  GaudiExecutable *executable = nullptr;
  EXPECT_TRUE(isFine(gaudiExecutableLoad(recipe.get(), options, &executable)));
  return ExecutableOwner(executable);
}

/// A buffer and the arrays that it refers to.
class Buffer {
public:
  template <typename T>
  Buffer(T *data, GaudiElementType type, std::vector<int64_t> shapeGiven,
         std::vector<int64_t> stridesGiven = {})
      : shape(std::move(shapeGiven)), strides(std::move(stridesGiven)) {
    buffer.data = const_cast<void *>(static_cast<const void *>(data));
    buffer.type = type;
    buffer.rank = uint32_t(shape.size());
    buffer.shape = shape.data();
    buffer.strides = strides.empty() ? nullptr : strides.data();
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  GaudiBuffer buffer = {};
  operator const GaudiBuffer &() const { return buffer; }

private:
  std::vector<int64_t> shape, strides;
};

/// x of 2x3 times w of 3x2.
inline const char matmul[] = R"(
func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %m = linalg.matmul ins(%x, %w : tensor<2x3xf32>, tensor<3x2xf32>)
      outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %m : tensor<2x2xf32>
}
)";

/// y = x + x, of any type and shape.
inline std::string doubleOf(const std::string &shape, const std::string &type) {
  const std::string t = "tensor<" + shape + type + ">";
  return "func.func @main(%x: " + t + ") -> " + t +
         " {\n  %e = tensor.empty() : " + t +
         "\n  %r = linalg.add ins(%x, %x : " + t + ", " + t +
         ") outs(%e : " + t + ") -> " + t + "\n  return %r : " + t + "\n}\n";
}

/// Rows of any number, doubled.
inline const char dynamicModel[] = R"(
func.func @main(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %e = tensor.empty(%n) : tensor<?x2xf32>
  %r = linalg.add ins(%x, %x : tensor<?x2xf32>, tensor<?x2xf32>)
      outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
})";

} // namespace gaudi::test

#endif // GAUDI_TEST_UNIT_CAPI_MODEL_H
