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

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace gaudi;
using runtime::KernelImage;

namespace {

/// How an object is made of LLVM assembly. Positions do not matter, as they
/// must not in an image.
struct Form {
  llvm::Triple triple = llvm::Triple(llvm::sys::getProcessTriple());
  llvm::Reloc::Model model = llvm::Reloc::PIC_;
  llvm::CodeModel::Model code = llvm::CodeModel::Small;
};

llvm::SmallString<0> assemble(const std::string &text, const Form &form = {}) {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  std::string problem;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(form.triple, problem);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      form.triple, "", "", {}, form.model, form.code));
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  module->setTargetTriple(form.triple);
  module->setDataLayout(machine->createDataLayout());
  llvm::SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  EXPECT_FALSE(machine->addPassesToEmitFile(passes, stream, nullptr,
                                            llvm::CodeGenFileType::ObjectFile));
  passes.run(*module);
  return object;
}

Result<std::vector<uint8_t>> imageOf(const std::string &text,
                                     const Form &form = {}) {
  const llvm::SmallString<0> object = assemble(text, form);
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
  const std::string text =
      "@numbers = internal constant [2 x float] [float 1.0, float 2.0]\n" +
      head +
      "  %n = getelementptr [2 x float], ptr @numbers, i64 0, i64 %begin\n"
      "  %x = load float, ptr %n\n"
      "  store float %x, ptr %p\n  ret void\n}\n";
  // Absolute addresses, which depend on where the code is.
  const std::pair<Form, const char *> forms[] = {
      {{llvm::Triple("x86_64-linux-gnu"), llvm::Reloc::Static}, "R_X86_64_32S"},
      {{llvm::Triple("aarch64-linux-gnu"), llvm::Reloc::Static,
        llvm::CodeModel::Large},
       "R_AARCH64_MOVW_UABS_G0_NC"},
  };
  for (const auto &[form, relocation] : forms)
    EXPECT_EQ(errorOf(imageOf(text, form))
                  .find("internal error: a kernel needs a relocation that the "
                        "loader does not know: " +
                        std::string(relocation)),
              0u)
        << errorOf(imageOf(text, form));
}

TEST(ImageWriter, RefusesOtherArchitectures) {
  EXPECT_EQ(errorOf(imageOf(head + "  ret void\n}\n",
                            {llvm::Triple("riscv64-linux-gnu")})),
            "kernels can only be compiled for x86-64 and aarch64 hosts");
}

/// The address that `adrp x, page` at `at` forms with the next instruction that
/// uses x: `add` or a load with the rest of the address.
uint64_t addressAt(const KernelImage &image, uint64_t at) {
  auto word = [&](uint64_t place) {
    uint32_t result;
    std::memcpy(&result, image.code.data + place, sizeof(result));
    return result;
  };
  const uint32_t page = word(at);
  const uint64_t pages = (page >> 5 & 0x7ffffu) << 2 | (page >> 29 & 3u);
  uint64_t user = at + 4;
  while ((word(user) >> 5 & 31u) != (page & 31u))
    user += 4;
  const uint32_t use = word(user);
  const bool isAdd = use >> 24 == 0x91;
  const bool isQuad = (use >> 26 & 1u) && (use >> 22 & 3u) == 3;
  return (at / 4096 + pages) * 4096 +
         (uint64_t(use >> 10 & 0xfffu) << (isAdd    ? 0
                                           : isQuad ? 4
                                                    : use >> 30));
}

// On any host; ConstantsAndHostFunctions and others run such code on aarch64.
TEST(ImageWriter, AddressesOfAarch64) {
  const Form form = {llvm::Triple("aarch64-linux-gnu")};
  auto bytes = imageOf(
      "@big = internal constant [4 x i32] [i32 11, i32 12, i32 13, i32 14]\n"
      "declare void @memset(ptr, i32, i64)\n" +
          head +
          "  %n = getelementptr [4 x i32], ptr @big, i64 0, i64 %begin\n"
          "  %x = load i32, ptr %n\n"
          "  store i32 %x, ptr %p\n"
          "  %v = load <4 x i32>, ptr %operands\n"
          "  %w = mul <4 x i32> %v, <i32 21, i32 22, i32 23, i32 24>\n"
          "  store <4 x i32> %w, ptr %operands\n"
          "  call void @memset(ptr %p, i32 0, i64 %end)\n  ret void\n}\n",
      form);
  ASSERT_TRUE(bytes.has_value()) << bytes.error().message;
  auto image = KernelImage::decode({bytes->data(), bytes->size()});
  ASSERT_TRUE(image.has_value()) << image.error().message;
  ASSERT_EQ(image->imports.size(), 1u);
  EXPECT_STREQ(image->names.data() + image->imports[0].name, "memset");
  std::vector<uint32_t> found;
  bool stub = false;
  for (uint64_t at = 0; at + 8 <= image->code.size; at += 4) {
    uint32_t word;
    std::memcpy(&word, image->code.data + at, sizeof(word));
    if ((word & 0x9f000000u) == 0x90000000u) { // ADRP
      const uint64_t to = addressAt(*image, at);
      ASSERT_LE(to + 4, image->code.size);
      stub |= to == image->imports[0].slot;
      std::memcpy(&word, image->code.data + to, sizeof(word));
      found.push_back(word);
    } else if ((word & 0xfc000000u) == 0x94000000u) { // BL: to the stub
      const auto distance = int64_t(int32_t(word << 6) >> 4);
      std::memcpy(&word, image->code.data + at + distance, sizeof(word));
      EXPECT_EQ(word & 0x9f00001fu, 0x90000010u); // ADRP x16
    }
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<uint32_t>{0, 11, 21})); // 0: the empty slot
  EXPECT_TRUE(stub);
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
