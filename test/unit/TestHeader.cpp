// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing but the precompiled header that belongs to it.
