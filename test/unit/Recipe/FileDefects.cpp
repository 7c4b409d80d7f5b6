// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defects of the container, the sections and the tensors.
#include "DefectMakers.h"

#include "Gaudi/Recipe/Container.h"

namespace gaudi::recipe::test {
namespace {

/// Makes vectors of the metadata refer to one table many times.
Bytes sharedKernel() {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<Inst> insts(1000, Inst(0, 0, 0, 0, Op::Const, ElementType::F32));
  auto stage = CreateStage(builder, 0, builder.CreateVectorOfStructs(insts));
  auto stages = std::vector<flatbuffers::Offset<Stage>>(1000, stage);
  auto kernel = CreateKernel(builder, 0, 0, 0, 0, 0, 0, 0, 0,
                             builder.CreateVector(stages));
  auto kernels = std::vector<flatbuffers::Offset<Kernel>>(1, kernel);
  auto root = CreateRecipe(builder, 0, 0, 0, 0, builder.CreateVector(kernels));
  FinishRecipeBuffer(builder, root);
  Header header;
  header.metadataSize = builder.GetSize();
  header.fileSize = headerBytes + builder.GetSize();
  const auto encoded = encodeHeader(header);
  Bytes bytes(encoded.begin(), encoded.end());
  bytes.insert(bytes.end(), builder.GetBufferPointer(),
               builder.GetBufferPointer() + builder.GetSize());
  reseal(bytes);
  return bytes;
}

/// The sample with one section record changed after the writer's layout.
Defect section(const char *name, std::function<void(SectionT &)> apply,
               const char *expected) {
  return {name,
          [=] {
            Bytes bytes = bytesOfText(sampleText);
            const uint64_t old = bytes.size();
            std::unique_ptr<RecipeT> recipe = UnPackRecipe(&bytes[64]);
            apply(*recipe->sections[1]);
            flatbuffers::FlatBufferBuilder builder(4096);
            FinishRecipeBuffer(builder, Recipe::Pack(builder, recipe.get()));
            bytes.assign(bytes.begin(), bytes.begin() + 64);
            bytes.insert(bytes.end(), builder.GetBufferPointer(),
                         builder.GetBufferPointer() + builder.GetSize());
            bytes.resize(old, 0);
            put<uint64_t>(bytes, 40, builder.GetSize());
            reseal(bytes);
            return bytes;
          },
          expected};
}

/// What errors say after what a file is that is no recipe, or a part of one.
const std::string toRecipe =
    "; gaudi-run MODEL --compile-only -o FILE makes one of a model, and so "
    "does compile() of gaudi_mlir";
const std::string again = "; copy the file again, or compile the model again";

} // namespace

std::vector<Defect> containerDefects() {
  return {
      damage(
          "empty", [](Bytes &b) { b.clear(); },
          "expected a recipe but the file is empty"),
      damage(
          "text",
          [](Bytes &b) {
            const std::string_view text = "hello\n";
            b.assign(text.begin(), text.end());
          },
          "expected a recipe (magic \"GAUDIREC\") but this looks like text" +
              toRecipe),
      damage(
          "text-form",
          [](Bytes &b) {
            const std::string_view text = sampleText;
            b.assign(text.begin(), text.end());
          },
          "expected a recipe (magic \"GAUDIREC\") but this looks like the "
          "text form of a recipe" +
              toRecipe),
      damage(
          "elf",
          [](Bytes &b) {
            std::memcpy(b.data(),
                        "\x7f"
                        "ELF",
                        4);
          },
          "expected a recipe (magic \"GAUDIREC\") but this looks like an "
          "ELF object" +
              toRecipe),
      damage(
          "magic", [](Bytes &b) { b[0] = 0; },
          "expected a recipe (magic \"GAUDIREC\") but this looks like other "
          "binary data" +
              toRecipe),
      damage(
          "header-truncated", [](Bytes &b) { b.resize(20); },
          "truncated recipe: the header has 64 bytes but the file only 20" +
              again),
      forge(
          "version-newer-major", [](Bytes &b) { put<uint16_t>(b, 8, 2); },
          "recipe format version 2.0 but this build reads 1.x; use a newer "
          "gaudi-mlir"),
      forge(
          "version-older-major", [](Bytes &b) { put<uint16_t>(b, 8, 0); },
          "recipe format version 0.0 but this build reads 1.x; compile the "
          "model again"),
      forge(
          "features-unknown", [](Bytes &b) { put<uint64_t>(b, 16, 256); },
          "recipe (format 1.0) needs features 0x100 that this build does not "
          "know; use a newer gaudi-mlir"),
      forge(
          "header-size", [](Bytes &b) { put<uint32_t>(b, 12, 72); },
          "header size is 72 bytes, expected 64"),
      damage(
          "truncated", [](Bytes &b) { b.resize(b.size() - 1); },
          "truncated recipe: the header says 8400 bytes but the file has "
          "8399" +
              again),
      damage(
          "trailing-bytes", [](Bytes &b) { b.push_back(0); },
          "trailing bytes: the header says 8400 bytes but the file has "
          "8401" +
              again),
      damage(
          "header-checksum", [](Bytes &b) { b[56] ^= 1; },
          "header checksum does not match: the file is damaged; "
          "copy it again, or compile the model again"),
      forge(
          "metadata-offset", [](Bytes &b) { put<uint64_t>(b, 32, 128); },
          "metadata offset is 128, expected 64"),
      forge(
          "metadata-past-end", [](Bytes &b) { put<uint64_t>(b, 40, ~0ull); },
          "metadata (18446744073709551615 bytes) reaches past the end of "
          "the file"),
      forge(
          "metadata-empty", [](Bytes &b) { put<uint64_t>(b, 40, 0); },
          "metadata size is 0 bytes, expected 1 to 2147483647"),
      damage(
          "metadata-checksum", [](Bytes &b) { b[200] ^= 1; },
          "metadata checksum does not match: the file is damaged; "
          "copy it again, or compile the model again"),
      forge(
          "flatbuffer-identifier", [](Bytes &b) { b[64 + 4] = 'X'; },
          "metadata has no file identifier \"GREC\""),
      forge(
          "flatbuffer-root", [](Bytes &b) { put<uint32_t>(b, 64, 1u << 30); },
          "metadata is not a well-formed FlatBuffer of the recipe schema"),
      forge(
          "padding", [](Bytes &b) { b[8191] = 1; },
          "padding byte at 8191 is not zero"),
      damage(
          "constant-damaged", [](Bytes &b) { b.back() ^= 1; },
          "checksum of const section @1 does not match: the file is "
          "damaged; copy it again, or compile the model again"),
      {"trailing-part",
       [] {
         Bytes bytes = bytesOfText(sampleText);
         bytes.push_back(0);
         put<uint64_t>(bytes, 24, bytes.size());
         reseal(bytes);
         return bytes;
       },
       "trailing bytes: the last part ends at 8400 but the file has 8401"},
  };
}

std::vector<Defect> memoryDefects() {
  return {
      forge(
          "vector-misaligned",
          [](Bytes &bytes) {
            // Moves the sizes of tensor 0 to the next multiple of 4.
            const Tensor *tensor = GetRecipe(&bytes[64])->tensors()->Get(0);
            auto *table = reinterpret_cast<const uint8_t *>(tensor);
            auto *at = reinterpret_cast<const uint8_t *>(tensor->sizes());
            const uint8_t *vtable =
                table - flatbuffers::ReadScalar<int32_t>(table);
            const uint8_t *reference =
                table +
                flatbuffers::ReadScalar<uint16_t>(vtable + Tensor::VT_SIZES);
            put<uint32_t>(bytes, size_t(at - bytes.data()) + 4, 0);
            put<uint32_t>(bytes, size_t(reference - bytes.data()),
                          uint32_t(at + 4 - reference));
          },
          "a vector of the metadata is not aligned to its elements"),

      {"metadata-shared", sharedKernel,
       "parts of the metadata are shared: they add up to more than its 28096 "
       "bytes"},
      edit("target", "gaudi2", "gaudi9",
           "target is \"gaudi9\", expected gaudi, gaudi2 or gaudi3"),
      change(
          "location-zero", [](RecipeT &r) { r.locations[0] = "x"; },
          "location 0 is missing or not empty"),
      change(
          "section-kind",
          [](RecipeT &r) { r.sections[2]->kind = SectionKind(9); },
          "section @2 has unknown kind 9"),
      edit("section-alignment", "workspace 512 bytes",
           "workspace 512 bytes align 96",
           "section @2 has alignment 96, expected a power of two from 64 to "
           "1073741824"),
      edit("section-const-alignment", "align 64", "align 8192",
           "section @1 has alignment 8192, expected a power of two from 64 to "
           "4096"),
      edit("section-absurd", "workspace 512 bytes",
           "workspace 281474976710657 bytes",
           "section @2 has 281474976710657 bytes, more than the format's 2^48"),
      edit("sections-absurd", "workspace 512 bytes",
           "workspace 281474976710656 bytes",
           "sections have more than the format's 2^48 bytes in all"),
      section(
          "section-offset", [](SectionT &s) { s.file_offset = 4096; },
          "section @1 has file offset 4096, expected 8192"),
      section(
          "section-past-end", [](SectionT &s) { s.size = 209; },
          "section @1 (209 bytes) reaches past the end of the file"),
      section(
          "section-not-const",
          [](SectionT &s) { s.kind = SectionKind::Workspace; },
          "section @1 is not const but has bytes in the file"),
      section(
          "section-empty", [](SectionT &s) { s.size = 0; },
          "section @1 is empty but has file offset 8192"),
      change(
          "tensor-class",
          [](RecipeT &r) { r.tensors[6]->tensor_class = TensorClass(7); },
          "tensor %6 \"softmax\" has unknown class 7"),
      change(
          "tensor-type",
          [](RecipeT &r) { r.tensors[6]->type = ElementType(40); },
          "tensor %6 \"softmax\" has unknown element type 40"),
      edit("tensor-rank", "%6 \"softmax\" workspace @2+0 f32[2,8]",
           "%6 \"softmax\" workspace @2+0 f32[1,1,1,1,1,1,1,2,8]",
           "tensor %6 \"softmax\" has rank 9, expected at most 8"),
      edit("tensor-stride-count", "strides[8,1]", "strides[8]",
           "tensor %18 \"left\" has 1 strides, expected 2"),
      edit("tensor-negative-size", "@2+192 f32[1,2,4,2]",
           "@2+192 f32[1,-2,4,2]",
           "tensor %14 \"conv\" has size -2 in dimension 1"),
      edit("tensor-negative-stride", "strides[8,1]", "strides[8,-1]",
           "tensor %18 \"left\" has stride -1 in dimension 1"),
      edit("tensor-too-many-elements", "bf16[2,4] strides[8,1]",
           "bf16[4294967296,65537] strides[0,0]",
           "tensor %18 \"left\" [4294967296,65537] has more than 2^48 "
           "elements"),
      edit("tensor-extent-overflow", "strides[8,1]",
           "strides[9223372036854775807,9223372036854775807]",
           "tensor %18 \"left\" at offset 384 reaches past the 512 bytes of "
           "section @2"),
      edit("tensor-dangling-section", "workspace @2+0 f32",
           "workspace @3+0 f32",
           "tensor %6 \"softmax\" is in section @3 but there are 3 sections"),
      edit("tensor-out-of-section", "workspace @2+0 f32",
           "workspace @2+452 f32",
           "tensor %6 \"softmax\" at offset 452 reaches past the 512 bytes of "
           "section @2"),
      edit("tensor-misaligned", "workspace @2+0 f32", "workspace @2+2 f32",
           "tensor %6 \"softmax\" has offset 2, expected a multiple of its "
           "element size 4"),
      edit("tensor-permutation", "perm[1,0]", "perm[1,1]",
           "tensor %2 \"y\" has a permutation that is none of its 2 "
           "dimensions"),
      edit("tensor-permutation-rank", "perm[1,0]", "perm[0]",
           "tensor %2 \"y\" has a permutation that is none of its 2 "
           "dimensions"),
      edit("tensor-permutation-workspace", "workspace @2+64 f32[2,8]",
           "workspace @2+64 f32[2,8] perm[1,0]",
           "tensor %7 \"copied\" has a permutation, but class workspace, "
           "which no caller gives or gets"),
      edit("tensor-permutation-const", "const @1+0 f32[8,4]",
           "const @1+0 f32[8,4] perm[1,0]",
           "tensor %4 \"w\" has a permutation, but class const, which no "
           "caller gives or gets"),
      edit("tensor-location", "f32[2,8] loc 1", "f32[2,8] loc 3",
           "tensor %0 \"x\" has location 3 of 3"),
      edit("alias-dangling", "alias %17", "alias %99",
           "tensor %18 \"left\" is an alias of %99 but there are 20 tensors"),
      edit("alias-cycle", "bf16[2,8]\n", "bf16[2,8] alias %18\n",
           "tensor %17 \"filled\" is an alias of itself"),
      edit("alias-outside", "@2+384 bf16[2,4]", "@2+400 bf16[2,4]",
           "tensor %18 \"left\" is an alias but not inside the bytes of "
           "tensor %17 \"filled\""),
      edit("alias-class", "workspace @2+384 bf16[2,4]",
           "output @2+384 bf16[2,4]",
           "tensor %18 \"left\" has class output but is an alias of tensor "
           "%17 \"filled\" of class workspace"),
      edit("tensor-section-kind", "workspace @2+0 f32", "workspace @0+0 f32",
           "tensor %6 \"softmax\" has class workspace but section @0 is "
           "persistent"),
      edit("persistent-overlap", "output @0+128", "output @0+80",
           "persistent tensor %2 \"y\" overlaps tensor %1 \"ids\""),
  };
}

} // namespace gaudi::recipe::test
