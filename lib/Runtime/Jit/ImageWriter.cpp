// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linker for one object: layout, relocations, table of pointers.
//
// The output is one block of bytes. Sections are copied into it, instructions
// first; slots (8-byte pointers) and call stubs are appended as relocations ask
// for them. Every relocation becomes a distance within the block, which needs
// no change at load, or a pointer in a slot, which the loader fills in: with a
// host function (import) or an address in the block itself (rebase).
#include "ImageWriter.h"

#include "Aarch64Code.h"
#include "KernelImage.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>
#include <optional>

namespace gaudi::runtime {

using llvm::object::ELF64LE;
using llvm::object::ELF64LEObjectFile;
using llvm::object::RelocationRef;
using llvm::object::SectionRef;
namespace ELF = llvm::ELF;
namespace endian = llvm::support::endian;

namespace {

/// What LLVM's reader gives, its error as ours.
template <typename T> Result<T> read(llvm::Expected<T> value) {
  if (!value)
    return fail("internal error: the object of a kernel cannot be read: {}",
                llvm::toString(value.takeError()));
  return std::move(*value);
}

class Writer {
public:
  explicit Writer(const ELF64LEObjectFile &object) : object(object) {}

  /// Copies all sections with code or constants into the block.
  Status layOut() {
    // Instructions first: they share pages, and stay away from the constants.
    for (bool instructions : {true, false})
      for (SectionRef section : object.sections())
        GAUDI_TRY(place(section, instructions));
    return {};
  }

  /// Applies the relocations of the copied sections; those of others (debug
  /// information, unwind tables) have nothing to apply to.
  Status relocate() {
    for (SectionRef section : object.sections()) {
      const auto target = GAUDI_TRY(read(section.getRelocatedSection()));
      if (target == object.section_end())
        continue;
      auto placed = places.find(target->getIndex());
      if (placed == places.end())
        continue;
      for (RelocationRef relocation : section.relocations())
        GAUDI_TRY(apply(relocation, placed->second));
    }
    return {};
  }

  /// The image, once everything is in its place.
  Result<std::vector<uint8_t>> finish(const std::string &entry) {
    std::optional<uint64_t> start;
    for (llvm::object::ELFSymbolRef symbol : object.symbols()) {
      if (GAUDI_TRY(read(symbol.getName())) != entry ||
          symbol.getELFType() != ELF::STT_FUNC)
        continue;
      start = GAUDI_TRY(addressOf(symbol));
    }
    if (!start)
      return fail("internal error: the object of a kernel lacks its function");
    KernelImage image;
    image.entry = uint32_t(*start);
    image.imports = imports;
    image.rebases = rebases;
    image.names = names;
    image.code = {code.data(), code.size()};
    return image.encode();
  }

private:
  /// Appends `size` zero bytes and returns where they begin. The block stays
  /// below 1 GiB, so that any distance within it fits into 32 bits.
  Result<uint64_t> extend(uint64_t size, uint64_t alignment) {
    const uint64_t at = llvm::alignTo(code.size(), alignment);
    if (size > (uint64_t(1) << 30) || at + size > (uint64_t(1) << 30))
      return fail("the code of a kernel is larger than 1 GiB");
    code.resize(at + size);
    return at;
  }

  /// Copies a section if it is part of the running code and of the given kind.
  Status place(SectionRef section, bool instructions) {
    const llvm::object::ELFSectionRef elf(section);
    const uint64_t flags = elf.getFlags();
    if (!(flags & ELF::SHF_ALLOC) || section.getSize() == 0 ||
        instructions != bool(flags & ELF::SHF_EXECINSTR))
      return {};
    const llvm::StringRef name = GAUDI_TRY(read(section.getName()));
    // Nothing unwinds through a kernel.
    if (name == ".eh_frame")
      return {};
    // Constants that contain addresses are writable for a dynamic linker only;
    // here the loader fills them in before the code becomes executable.
    const bool writable =
        (flags & ELF::SHF_WRITE) && !name.starts_with(".data.rel.ro");
    if (writable || (flags & ELF::SHF_TLS) || elf.getType() == ELF::SHT_NOBITS)
      return fail("internal error: a kernel has variables (section {})",
                  name.str());
    const uint64_t alignment = section.getAlignment().value();
    if (alignment > imageAlignment)
      return fail("internal error: section {} of a kernel is aligned to {} "
                  "bytes; expected at most {}",
                  name.str(), alignment, imageAlignment);
    const llvm::StringRef contents = GAUDI_TRY(read(section.getContents()));
    const uint64_t at = GAUDI_TRY(extend(contents.size(), alignment));
    std::copy(contents.begin(), contents.end(), code.begin() + at);
    places[section.getIndex()] = at;
    return {};
  }

  /// The offset of a defined symbol in the code block.
  Result<uint64_t> addressOf(const llvm::object::ELFSymbolRef &symbol) {
    const auto section = GAUDI_TRY(read(symbol.getSection()));
    const uint64_t value = GAUDI_TRY(read(symbol.getValue()));
    auto placed = section == object.section_end()
                      ? places.end()
                      : places.find(section->getIndex());
    if (placed == places.end())
      return fail(
          "internal error: a kernel refers to '{}', which its code does "
          "not have",
          GAUDI_TRY(read(symbol.getName())).str());
    return placed->second + value;
  }

  Result<uint32_t> newSlot() { return uint32_t(GAUDI_TRY(extend(8, 8))); }

  void import(uint32_t slot, llvm::StringRef name) {
    imports.push_back({slot, uint32_t(names.size())});
    names.append(name.str()).push_back('\0');
  }

  /// The pointer to a host function.
  Result<uint32_t> slotOfImport(llvm::StringRef name) {
    auto known = importSlots.find(name);
    if (known != importSlots.end())
      return known->second;
    const uint32_t slot = GAUDI_TRY(newSlot());
    import(slot, name);
    return importSlots[name] = slot;
  }

  /// The pointer to something in the code block itself.
  Result<uint32_t> slotOfAddress(uint64_t address) {
    auto known = addressSlots.find(address);
    if (known != addressSlots.end())
      return known->second;
    const uint32_t slot = GAUDI_TRY(newSlot());
    rebases.push_back({slot, uint32_t(address)});
    return addressSlots[address] = slot;
  }

  bool isAarch64() const { return object.getArch() == llvm::Triple::aarch64; }

  /// A stub that jumps to what its slot holds: a call has a distance that may
  /// not reach a host function.
  Result<uint64_t> stubOf(llvm::StringRef name) {
    auto known = stubs.find(name);
    if (known != stubs.end())
      return known->second;
    const uint32_t slot = GAUDI_TRY(slotOfImport(name));
    const uint64_t at = GAUDI_TRY(extend(16, 8));
    if (isAarch64()) {
      uint8_t *to = &code[at];
      for (const uint32_t word : aarch64::jumpThrough(at, slot)) {
        endian::write32le(to, word);
        to += sizeof(word);
      }
    } else {
      code[at] = 0xff;     // jmp r/m64
      code[at + 1] = 0x25; // [rip + disp32], counted from the next instruction
      endian::write32le(&code[at + 2], uint32_t(slot - (at + 6)));
    }
    return stubs[name] = at;
  }

  /// What a relocation refers to, and from where. S, P and A of the ELF
  /// specification: `address`, `place` and `addend`.
  struct Reference {
    llvm::StringRef name;
    bool foreign;     // a host function, else in this code
    uint64_t address; // in the code, or 0
    uint64_t place;
    int64_t addend;
  };

  Status apply(RelocationRef relocation, uint64_t sectionStart) {
    const llvm::object::ELFRelocationRef elf(relocation);
    Reference reference;
    reference.addend = GAUDI_TRY(read(elf.getAddend()));
    reference.place = sectionStart + relocation.getOffset();
    const uint64_t type = relocation.getType();
    static_assert(int(ELF::R_X86_64_NONE) == int(ELF::R_AARCH64_NONE));
    if (type == ELF::R_X86_64_NONE)
      return {};
    assert(reference.place >= sectionStart && "offsets do not wrap");
    const bool wide =
        isAarch64()
            ? type == ELF::R_AARCH64_ABS64 || type == ELF::R_AARCH64_PREL64
            : type == ELF::R_X86_64_64 || type == ELF::R_X86_64_PC64;
    if (reference.place + (wide ? 8 : 4) > code.size())
      return fail("internal error: a relocation of a kernel is outside its "
                  "section");
    auto symbolAt = relocation.getSymbol();
    if (symbolAt == object.symbol_end())
      return unsupported(relocation, "no symbol");
    const llvm::object::ELFSymbolRef symbol(*symbolAt);
    reference.name = GAUDI_TRY(read(symbol.getName()));
    reference.foreign = GAUDI_TRY(read(symbol.getFlags())) &
                        llvm::object::SymbolRef::SF_Undefined;
    reference.address = reference.foreign ? 0 : GAUDI_TRY(addressOf(symbol));
    const bool done = GAUDI_TRY(isAarch64() ? applyAarch64(type, reference)
                                            : applyX86(type, reference));
    return done ? Status() : unsupported(relocation, reference.name);
  }

  // The rest of apply(): false if an image cannot have such a reference.

  /// An absolute pointer, in a table of constants: filled in at load.
  bool point(const Reference &r) {
    if (r.place % 8 != 0 || (r.foreign && r.addend != 0))
      return false;
    if (r.foreign)
      import(uint32_t(r.place), r.name);
    else
      rebases.push_back({uint32_t(r.place), uint32_t(r.address + r.addend)});
    return true;
  }

  /// The address of a pointer: slots are the global offset table of an image.
  Result<uint64_t> slotOf(const Reference &r) {
    return GAUDI_TRY(r.foreign ? slotOfImport(r.name)
                               : slotOfAddress(r.address));
  }

  Result<bool> applyX86(uint64_t type, const Reference &r) {
    uint64_t target = r.address;
    switch (type) {
    case ELF::R_X86_64_64:
      return point(r);
    // Distances within the block are known now and never change.
    case ELF::R_X86_64_PC64:
      if (!r.foreign)
        endian::write64le(&code[r.place], target + r.addend - r.place);
      return !r.foreign;
    case ELF::R_X86_64_PC32:
      if (r.foreign)
        return false;
      break;
    // A call: direct within the block, through a stub to the host.
    case ELF::R_X86_64_PLT32:
      if (r.foreign)
        target = GAUDI_TRY(stubOf(r.name));
      break;
    case ELF::R_X86_64_GOTPCREL:
    case ELF::R_X86_64_GOTPCRELX:
    case ELF::R_X86_64_REX_GOTPCRELX:
      target = GAUDI_TRY(slotOf(r));
      break;
    default:
      return false;
    }
    const int64_t distance = int64_t(target) + r.addend - int64_t(r.place);
    if (!llvm::isInt<32>(distance))
      return false;
    endian::write32le(&code[r.place], uint32_t(distance));
    return true;
  }

  /// ELF for the Arm 64-bit Architecture (AAELF64), 5.7: what the code model
  /// `small` needs. Blocks are loaded at whole pages, so places within a page
  /// and distances of pages never change.
  Result<bool> applyAarch64(uint64_t type, const Reference &r) {
    uint64_t target = r.address + uint64_t(r.addend);
    unsigned scale = 0; // of the offset of a load or store
    switch (type) {
    case ELF::R_AARCH64_ABS64:
      return point(r);
    case ELF::R_AARCH64_CALL26:
    case ELF::R_AARCH64_JUMP26:
      if (r.foreign)
        target = GAUDI_TRY(stubOf(r.name));
      break;
    case ELF::R_AARCH64_ADR_GOT_PAGE:
    case ELF::R_AARCH64_LD64_GOT_LO12_NC:
      target = GAUDI_TRY(slotOf(r));
      break;
    default:
      if (r.foreign)
        return false;
    }
    // Slots and stubs have been added to the code.
    uint8_t *const at = &code[r.place];
    const uint32_t word = endian::read32le(at);
    const int64_t distance = int64_t(target) - int64_t(r.place);
    auto write = [&](uint32_t instruction) {
      endian::write32le(at, instruction);
      return true;
    };
    switch (type) {
    case ELF::R_AARCH64_PREL64:
      endian::write64le(at, uint64_t(distance));
      return true;
    case ELF::R_AARCH64_PREL32:
      return llvm::isInt<32>(distance) && write(uint32_t(distance));
    case ELF::R_AARCH64_CALL26:
    case ELF::R_AARCH64_JUMP26:
      return distance % 4 == 0 && llvm::isInt<28>(distance) &&
             write(aarch64::withBits(word, 0, 26, uint64_t(distance) >> 2));
    case ELF::R_AARCH64_ADR_PREL_LO21:
      return llvm::isInt<21>(distance) &&
             write(aarch64::withAddress(word, distance));
    case ELF::R_AARCH64_ADR_PREL_PG_HI21:
    case ELF::R_AARCH64_ADR_GOT_PAGE: // blocks are small enough
      return write(
          aarch64::withAddress(word, aarch64::pagesBetween(r.place, target)));
    case ELF::R_AARCH64_ADD_ABS_LO12_NC:
    case ELF::R_AARCH64_LDST8_ABS_LO12_NC:
      break;
    case ELF::R_AARCH64_LDST16_ABS_LO12_NC:
      scale = 1;
      break;
    case ELF::R_AARCH64_LDST32_ABS_LO12_NC:
      scale = 2;
      break;
    case ELF::R_AARCH64_LDST64_ABS_LO12_NC:
    case ELF::R_AARCH64_LD64_GOT_LO12_NC:
      scale = 3;
      break;
    case ELF::R_AARCH64_LDST128_ABS_LO12_NC:
      scale = 4;
      break;
    default:
      return false;
    }
    const uint64_t inPage = target % aarch64::pageBytes;
    return inPage % (uint64_t(1) << scale) == 0 &&
           write(aarch64::withBits(word, 10, 12, inPage >> scale));
  }

  static Status unsupported(RelocationRef relocation, llvm::StringRef symbol) {
    llvm::SmallString<32> type;
    relocation.getTypeName(type);
    return fail("internal error: a kernel needs a relocation that the loader "
                "does not know: {} to {}",
                type.str().str(), symbol.str());
  }

  const ELF64LEObjectFile &object;
  std::vector<uint8_t> code;
  std::vector<ImageImport> imports;
  std::vector<ImageRebase> rebases;
  std::string names;
  llvm::DenseMap<uint64_t, uint64_t> places; // of sections in `code`
  llvm::StringMap<uint32_t> importSlots;
  llvm::DenseMap<uint64_t, uint32_t> addressSlots;
  llvm::StringMap<uint64_t> stubs;
};

} // namespace

Result<std::vector<uint8_t>> writeImage(llvm::MemoryBufferRef object,
                                        const std::string &entry) {
  const auto file =
      GAUDI_TRY(read(llvm::object::ObjectFile::createELFObjectFile(object)));
  const auto *elf = llvm::dyn_cast<ELF64LEObjectFile>(file.get());
  if (!elf || (file->getArch() != llvm::Triple::x86_64 &&
               file->getArch() != llvm::Triple::aarch64))
    return fail("kernels can only be compiled for x86-64 and aarch64 hosts");
  Writer writer(*elf);
  GAUDI_TRY(writer.layOut());
  GAUDI_TRY(writer.relocate());
  return writer.finish(entry);
}

} // namespace gaudi::runtime
