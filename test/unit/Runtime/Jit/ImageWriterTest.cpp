// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects become images that run, or errors that say why not.
#include "Jit/ImageWriter.h"
#include "Jit/CodeMemory.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace gaudi;
using runtime::KernelImage;

namespace {

/// An object of LLVM assembly.
llvm::SmallString<0> assemble(const std::string &text,
                              llvm::Reloc::Model model = llvm::Reloc::PIC_) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string problem;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, problem);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, "x86-64", "", {}, model, llvm::CodeModel::Small));
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  llvm::SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  EXPECT_FALSE(machine->addPassesToEmitFile(passes, stream, nullptr,
                                            llvm::CodeGenFileType::ObjectFile));
  passes.run(*module);
  return object;
}

Result<std::vector<uint8_t>>
imageOf(const std::string &text, llvm::Reloc::Model model = llvm::Reloc::PIC_) {
  const llvm::SmallString<0> object = assemble(text, model);
  return runtime::writeImage({object, "test"}, "kernel");
}

std::string errorOf(const Result<std::vector<uint8_t>> &image) {
  return image ? "none" : image.error().message;
}

/// Runs the kernel on one operand of floats.
void run(const std::string &text, std::vector<float> &operand, int64_t begin,
         int64_t end) {
  auto bytes = imageOf(text);
  ASSERT_TRUE(bytes.has_value()) << bytes.error().message;
  auto image = KernelImage::decode({bytes->data(), bytes->size()});
  ASSERT_TRUE(image.has_value()) << image.error().message;
  std::vector<runtime::KernelFunction> functions;
  // Twice: an image runs at any address.
  auto code = runtime::CodeMemory::load({*image, *image}, functions);
  ASSERT_TRUE(code.has_value()) << code.error().message;
  void *const operands[] = {operand.data()};
  functions[1](operands, begin, end, nullptr);
}

const std::string head = "define void @kernel(ptr %operands, i64 %begin, "
                         "i64 %end, ptr %fault) nounwind {\n"
                         "  %p = load ptr, ptr %operands\n";

TEST(ImageWriter, ConstantsAndHostFunctions) {
  std::vector<float> values = {1.5f, 0};
  run("declare float @gaudi.expf(float)\n"
      "declare ptr @memset(ptr, i32, i64)\n" +
          head +
          "  %x = load float, ptr %p\n"
          "  %y = fmul float %x, 0x3FF3333340000000\n"
          "  %z = call float @gaudi.expf(float %y)\n"
          "  %m = call ptr @memset(ptr %p, i32 0, i64 4)\n"
          "  %q = getelementptr float, ptr %p, i64 1\n"
          "  store float %z, ptr %q\n"
          "  ret void\n}\n",
      values, 0, 1);
  EXPECT_EQ(values[0], 0.0f);
  EXPECT_EQ(values[1], expf(1.5f * 1.2f));
}

TEST(ImageWriter, TablesOfConstantsAndAddresses) {
  const std::string text =
      "@numbers = internal constant [4 x float] [float 1.0, float 2.0, "
      "float 4.0, float 8.0]\n"
      "@functions = internal constant [2 x ptr] [ptr @half, ptr @twice]\n"
      "define internal float @half(float %x) nounwind noinline {\n"
      "  %y = fmul float %x, 0.5\n  ret float %y\n}\n"
      "define internal float @twice(float %x) nounwind noinline {\n"
      "  %y = fmul float %x, 2.0\n  ret float %y\n}\n" +
      head +
      "  %n = getelementptr [4 x float], ptr @numbers, i64 0, i64 %begin\n"
      "  %x = load float, ptr %n\n"
      "  %f = getelementptr [2 x ptr], ptr @functions, i64 0, i64 %end\n"
      "  %g = load ptr, ptr %f\n"
      "  %y = call float %g(float %x)\n"
      "  store float %y, ptr %p\n  ret void\n}\n";
  std::vector<float> values = {0};
  run(text, values, 3, 0);
  EXPECT_EQ(values[0], 4.0f);
  run(text, values, 2, 1);
  EXPECT_EQ(values[0], 8.0f);
}

TEST(ImageWriter, Switch) {
  std::string text = head + "  switch i64 %begin, label %other [\n";
  for (int i = 0; i < 8; ++i)
    text += "    i64 " + std::to_string(i) + ", label %l" + std::to_string(i) +
            "\n";
  text += "  ]\n";
  for (int i = 0; i < 8; ++i)
    text += "l" + std::to_string(i) + ":\n  store volatile i32 " +
            std::to_string(i * i) + ", ptr %p\n  br label %other\n";
  text += "other:\n  ret void\n}\n";
  for (int64_t i : {0, 5, 7}) {
    std::vector<float> values = {0};
    run(text, values, i, 0);
    int32_t got;
    std::memcpy(&got, values.data(), sizeof(got));
    EXPECT_EQ(got, i * i);
  }
}

TEST(ImageWriter, RefusesVariables) {
  EXPECT_EQ(errorOf(imageOf("@count = internal global i32 7\n" + head +
                            "  %c = load volatile i32, ptr @count\n"
                            "  store i32 %c, ptr @count\n  ret void\n}\n")),
            "internal error: a kernel has variables (section .data)");
}

TEST(ImageWriter, RefusesOtherRelocations) {
  const std::string error = errorOf(
      imageOf("@numbers = internal constant [2 x float] [float 1.0, float 2.0]"
              "\n" +
                  head +
                  "  %n = getelementptr [2 x float], ptr @numbers, i64 0, i64 "
                  "%begin\n"
                  "  %x = load float, ptr %n\n"
                  "  store float %x, ptr %p\n  ret void\n}\n",
              llvm::Reloc::Static));
  EXPECT_EQ(error.find("internal error: a kernel needs a relocation that the "
                       "loader does not know: R_X86_64_32S"),
            0u)
      << error;
}

TEST(ImageWriter, RefusesWhatIsNoKernel) {
  EXPECT_EQ(errorOf(imageOf("define void @other() { ret void }\n")),
            "internal error: the object of a kernel lacks its function");
  EXPECT_EQ(errorOf(runtime::writeImage({"\x7f"
                                         "ELF and nothing more",
                                         "test"},
                                        "kernel"))
                .find("internal error: the object of a kernel cannot be read"),
            0u);
}

TEST(ImageWriter, UnknownHostFunction) {
  auto bytes = imageOf("declare void @exit(i32)\n" + head +
                       "  call void @exit(i32 1)\n  ret void\n}\n");
  ASSERT_TRUE(bytes.has_value());
  auto image = KernelImage::decode({bytes->data(), bytes->size()});
  ASSERT_TRUE(image.has_value());
  std::vector<runtime::KernelFunction> functions;
  auto code = runtime::CodeMemory::load({*image}, functions);
  ASSERT_FALSE(code.has_value());
  EXPECT_EQ(code.error().message,
            "a compiled kernel calls the host function 'exit', which this "
            "runtime does not have");
}

} // namespace
