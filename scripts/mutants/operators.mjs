// The operators of C++ and what a mutant puts in their place.

/** An operator of C++, its functor in tests/mutants/cpp/mutants.h, and the operators that take its place. */
export const OPERATORS = {
  '<': ['Less', '<='],
  '<=': ['LessEqual', '<'],
  '>': ['Greater', '>='],
  '>=': ['GreaterEqual', '>'],
  '==': ['Equal'],
  '!=': ['NotEqual'],
  '+': ['Plus', '-'],
  '-': ['Minus', '+'],
  '*': ['Times', '/'],
  '/': ['Divided', '*'],
  '%': ['Modulo', '*'],
  '&': ['And', '|'],
  '|': ['Or', '&'],
  '^': ['Xor', '|'],
  '<<': ['Left', '>>'],
  '>>': ['Right', '<<'],
};
export const IS_RELATION = /^([<>]=?|[=!]=)$/;
/** Nodes that are their operand, as far as a condition is concerned. */
const IS_WRAPPER =
  /^(ParenExpr|ImplicitCastExpr|ExprWithCleanups|MaterializeTemporaryExpr|CXXBindTemporaryExpr|FullExpr)$/;

/** The expression without parentheses and what the compiler lays around it. */
export function unwrapped(node) {
  return IS_WRAPPER.test(node.kind) && node.inner ? unwrapped(node.inner[0]) : node;
}

/** The operator that the callee of an overloaded operator's call stands for. */
export function operatorOf(callee) {
  const node = callee && unwrapped(callee);
  const name = node?.name ?? node?.referencedDecl?.name ?? '';
  return /^operator(\W+)$/.exec(name)?.[1];
}
