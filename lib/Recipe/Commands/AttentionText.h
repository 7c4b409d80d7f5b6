// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text form and accounting of attention commands.
#ifndef GAUDI_LIB_RECIPE_COMMANDS_ATTENTIONTEXT_H
#define GAUDI_LIB_RECIPE_COMMANDS_ATTENTIONTEXT_H

#include "CommandKind.h"

namespace gaudi::recipe {

void accountAttention(const Command &command, Account &account);
void printAttention(const Command &command, TextWriter &out);
void parseAttention(Lexer &lexer, BodyUnion &body);

void accountAttentionGrad(const Command &command, Account &account);
void printAttentionGrad(const Command &command, TextWriter &out);
void parseAttentionGrad(Lexer &lexer, BodyUnion &body);

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_COMMANDS_ATTENTIONTEXT_H
