// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions as text, for tests of layouts.
#ifndef GAUDI_TEST_UNIT_TRANSFORMS_LAYOUTPROBLEMTEST_H
#define GAUDI_TEST_UNIT_TRANSFORMS_LAYOUTPROBLEMTEST_H

#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Dialect/Signature.h"
#include "LayoutProblem.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

namespace gaudi::layout {

class LayoutProblemTest : public testing::Test {
protected:
  LayoutProblemTest() {
    context.loadDialect<GaudiDialect, func::FuncDialect>();
  }

  func::FuncOp parse(StringRef body) {
    module = parseSourceString<ModuleOp>(body, &context);
    EXPECT_TRUE(module);
    return *module->getOps<func::FuncOp>().begin();
  }
  Operation *op(func::FuncOp function, unsigned number) {
    return &*std::next(function.front().begin(), number);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  const DeviceTime time{**device::DeviceSpec::lookup("gaudi2")};
};

} // namespace gaudi::layout

#endif // GAUDI_TEST_UNIT_TRANSFORMS_LAYOUTPROBLEMTEST_H
