// How the virtual device finds a program's kernels: the preprocessor, integer expressions, and signatures.

#include <gtest/gtest.h>

#include <string>

#include "support/virtual_device/driver/integer_expression.h"
#include "support/virtual_device/driver/kernel_signature.h"
#include "support/virtual_device/driver/preprocessor.h"
#include "support/virtual_device/driver/tokens.h"

namespace hone::test::driver {
namespace {

std::optional<std::int64_t> valueOf(const std::string& text) { return evaluate(tokensOf(text)); }

TEST(VirtualProgram, ExpressionsHaveThePrecedencesOfC) {
  EXPECT_EQ(valueOf("1 + 2 * 3 - 4"), 3);
  EXPECT_EQ(valueOf("1 << 2 + 1"), 8);
  EXPECT_EQ(valueOf("10 - 4 - 3"), 3);
  EXPECT_EQ(valueOf("7 & 3 == 3"), 1);
  EXPECT_EQ(valueOf("-(2 + 3) % 4"), -1);
  EXPECT_EQ(valueOf("!0 && 2 || 0"), 1);
  EXPECT_EQ(valueOf("0x10 + 1u"), 17);
  EXPECT_EQ(valueOf("1 ? 2 : 3 ? 4 : 5"), 2);
  EXPECT_EQ(valueOf("unknown + 1"), 1);
}

TEST(VirtualProgram, ExpressionsWithoutValueHaveNone) {
  for (const char* text : {"", "1 +", "(1", "1 / 0", "5 % 0", "1 2", "1.5", "\"a\"", "9223372036854775807 + 1"})
    EXPECT_EQ(valueOf(text), std::nullopt) << text;
  EXPECT_EQ(valueOf("0 && 1 / 0"), 0);
  EXPECT_EQ(valueOf("1 || 1 / 0"), 1);
  EXPECT_EQ(valueOf("1 ? 2 : 1 / 0"), 2);
}

TEST(VirtualProgram, OptionsGiveMacros) {
  const MacroTexts macros = macrosIn("-cl-fast-relaxed-math -D A=1 -DB=-2 -D C -DD=float2 -I include");
  EXPECT_EQ(macros, (MacroTexts{{"A", "1"}, {"B", "-2"}, {"C", "1"}, {"D", "float2"}}));
  EXPECT_EQ(integersOf(macros), (Macros{{"A", 1}, {"B", -2}, {"C", 1}}));
}

/// The preprocessed text, with single spaces.
std::string processed(const std::string& source, const MacroTexts& macros = {}) {
  const Preprocessed result = preprocess(source, macros);
  if (!result.error.empty()) return "! " + result.error;
  std::string text;
  for (const std::string& token : tokensOf(result.text)) text += (text.empty() ? "" : " ") + token;
  return text;
}

TEST(VirtualProgram, ConditionsChooseTheirLines) {
  const std::string source = R"(
    #if A == 1 && defined(B)
    one
    #elif A == 2 || !defined C
    two
    #else
    three
    #  ifdef A
    four
    #  endif
    #endif)";
  EXPECT_EQ(processed(source, {{"A", "1"}, {"B", "0"}}), "one");
  EXPECT_EQ(processed(source, {{"A", "1"}}), "two");
  EXPECT_EQ(processed(source, {{"A", "1"}, {"C", "1"}}), "three four");
  EXPECT_EQ(processed(source, {{"C", "1"}}), "three");
}

TEST(VirtualProgram, MacrosAreExpandedButNotInThemselves) {
  EXPECT_EQ(processed("#define A (B + 1)\n#define B 2\nA", {}), "( 2 + 1 )");
  EXPECT_EQ(processed("#define A A B\nA\n#undef A\nA", {{"B", "3"}}), "A 3 A");
  EXPECT_EQ(processed("#define F(x) x\nF(1)"), "F ( 1 )");
  EXPECT_EQ(processed("#define LONG \\\n 8\nLONG // LONG\n/* LONG */ \"LONG\""), "8 \"LONG\"");
}

TEST(VirtualProgram, ErrorsOfTheSourceAreErrors) {
  EXPECT_EQ(processed("#error no\n"), "! error: no");
  EXPECT_EQ(processed("#if 0\n#error no\n#endif\nyes"), "yes");
  EXPECT_EQ(processed("#if 1\n"), "! #if without #endif");
  EXPECT_EQ(processed("#endif\n"), "! #endif without #if");
  EXPECT_EQ(processed("#if 1 +\n#endif"), "! #if 1 +: no integer expression");
  EXPECT_EQ(processed("#include \"a.h\"\n"), "! #include is not understood");
}

TEST(VirtualProgram, KernelsHaveSignatures) {
  const ScannedProgram program = scanKernels(R"(
    void helper(global float* a) { a[0] = 1; }
    kernel void declared(int a);
    __kernel __attribute__((reqd_work_group_size(8, 2 * 2, 1))) void
    first(__global const float4 *restrict a, const int n, __local float* b, __constant uint* c, unsigned int d,
          double3 e, Struct s, sampler_t t) { if (n > 0) { a; } }
    kernel void second() { }
    kernel void third(void) { })");
  EXPECT_EQ(program.error, "");
  ASSERT_EQ(program.kernels.size(), 3u);
  const KernelSignature& first = program.kernels[0];
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.requiredWorkGroup, (std::array<std::size_t, 3>{8, 4, 1}));
  ASSERT_EQ(first.arguments.size(), 8u);
  const auto& argument = first.arguments;
  EXPECT_EQ(argument[0].kind, ArgumentKind::buffer);
  EXPECT_EQ(argument[0].type, "float4*");
  EXPECT_EQ(argument[0].name, "a");
  EXPECT_TRUE(argument[0].isConst);
  EXPECT_EQ(argument[1].kind, ArgumentKind::scalar);
  EXPECT_EQ(argument[1].bytes, 4u);
  EXPECT_EQ(argument[2].kind, ArgumentKind::local);
  EXPECT_TRUE(argument[3].isConstantSpace);
  EXPECT_EQ(argument[3].kind, ArgumentKind::buffer);
  EXPECT_EQ(argument[4].type, "uint");
  EXPECT_EQ(argument[4].bytes, 4u);
  EXPECT_EQ(argument[4].name, "d");
  EXPECT_EQ(argument[5].bytes, 32u);
  EXPECT_EQ(argument[6].bytes, 0u);
  EXPECT_EQ(argument[7].kind, ArgumentKind::sampler);
  EXPECT_EQ(program.kernels[1].arguments.size(), 0u);
  EXPECT_EQ(program.kernels[2].arguments.size(), 0u);
}

TEST(VirtualProgram, UnbalancedBracketsAreErrors) {
  EXPECT_EQ(scanKernels("kernel void k() { if (1) { }").error, "error: '{' is not closed");
  EXPECT_EQ(scanKernels("kernel void k() { ) }").error, "error: unexpected ')'");
}

}  // namespace
}  // namespace hone::test::driver
