// The places in C++ headers where a mutant can stand, from Clang's syntax tree, so that new code has mutants without
// anybody writing them. Invariant: a place is a whole expression or statement that runs at run time. There are none in
// the expansions of macros, in code that only the compiler evaluates, or in asserts, which are part of the tests.
import { IS_RELATION, operatorOf, OPERATORS, unwrapped } from './operators.mjs';

const IS_ASSIGNMENT = /^[^=!<>]*=$|^(<<|>>)=$/;
/** Both values of a condition; a loop that never ends costs the time limit and is noticed in any case. */
const EITHER = ['true', 'false'];
const LOOP = ['false'];

/** Nodes whose expressions the compiler evaluates, or which only name a type. */
const NOT_RUN =
  /^(ConstantExpr|StaticAssertDecl|TemplateArgument|(TemplateType|NonTypeTemplate|TemplateTemplate)ParmDecl|Enum(Constant)?Decl|RequiresExpr|ConceptDecl|ConceptSpecializationExpr|UnaryExprOrTypeTraitExpr|CXXNoexceptExpr|SubstNonTypeTemplateParmExpr|CXXDefault(Arg|Init)Expr|.*Attr|.*Type|.*Comment)$/;
/** Nodes that have the parts of others. */
const LIKE = {
  ClassTemplateDecl: 'FunctionTemplateDecl',
  VarTemplateDecl: 'FunctionTemplateDecl',
  CXXMethodDecl: 'FunctionDecl',
  CXXConversionDecl: 'FunctionDecl',
  CXXConstructorDecl: 'FunctionDecl',
  DefaultStmt: 'CaseStmt',
  AttributedStmt: 'CaseStmt',
};
const IS_CALL = /^(CallExpr|CXXMemberCallExpr)$/;

/** The places of each file in `sources`, a map of paths to their text: sorted, an outer one before those within it. */
export function placesOf(roots, sources) {
  const finder = new Finder(sources);
  for (const root of roots) finder.visit(root);
  const places = [...finder.places.values()].filter(
    ({ form, mutants }) => form === 'function' || mutants.length > 0,
  );
  return places.sort((a, b) => a.begin - b.begin || b.end - a.end || a.rank - b.rank);
}

class Finder {
  places = new Map();
  #sources;
  /** The function around: whether it returns bool. Undefined outside of functions. */
  #function;

  constructor(sources) {
    this.#sources = sources;
  }

  /**
   * Collects the places in `node`. `forced` are the values that it is worth to force this expression to; undefined where
   * it is not known to be a condition.
   */
  visit(node, forced) {
    const { kind, inner = [] } = node;
    if (kind === undefined || NOT_RUN.test(kind) || (kind === 'VarDecl' && node.constexpr)) return;
    const named = `visit${LIKE[kind] ?? kind}`;
    if (unwrapped(node) !== node) this.visit(inner[0], forced);
    else if (this[named]) this[named](node, inner, forced);
    else {
      if (forced) this.#force(node, forced);
      this.#visitAll(inner);
    }
  }

  #visitAll(nodes) {
    for (const node of nodes) this.visit(node);
  }

  /** Of a template, what was written, not what was made from it. */
  visitFunctionTemplateDecl(node, inner) {
    this.#visitAll(inner.filter(({ kind }) => /Decl$/.test(kind) && !NOT_RUN.test(kind)).slice(0, 1));
  }

  visitFunctionDecl(node, inner) {
    if (node.explicitlyDefaulted || node.explicitlyDeleted || node.isImplicit) return;
    const { qualType: type } = node.type;
    const body = inner.find(({ kind }) => kind === 'CompoundStmt');
    const outer = this.#function;
    const isWhole = !outer && !/^auto \(((?!->).)*$/.test(type) && body !== undefined;
    const span = isWhole && this.#spanOf(body);
    if (span) this.#add({ ...span, form: 'function', name: node.name, rank: -1, mutants: [] });
    this.#function = { isBool: /^bool \(|-> bool$/.test(type) };
    this.#visitAll(inner);
    this.#function = outer;
  }

  visitFieldDecl(node, inner) {
    if (!node.isBitfield) this.#visitAll(inner);
  }

  /** The body stands in the function of its class too, where its type is known. */
  visitLambdaExpr(node, inner) {
    this.#visitAll(inner.filter(({ kind }) => kind !== 'CompoundStmt'));
  }

  visitReturnStmt(node, inner) {
    if (inner.length > 0) this.visit(inner[0], this.#function?.isBool ? EITHER : undefined);
  }

  visitIfStmt(node, inner) {
    const parts = node.hasInit ? inner.slice(1) : inner;
    if (node.hasInit) this.visit(inner[0]);
    if (node.hasVar) this.visit(parts[0]);
    const [condition, ...branches] = node.hasVar ? parts.slice(1) : parts;
    if (!node.isConstexpr) this.visit(condition, node.hasVar ? undefined : EITHER);
    for (const branch of branches) this.#statement(branch);
  }

  visitForStmt(node, [init, variable, condition, increment, body]) {
    for (const part of [init, variable]) if (part?.kind) this.visit(part);
    if (condition?.kind) this.visit(condition, LOOP);
    // What a loop does after each turn: without it most never end.
    if (increment?.kind) for (const part of increment.inner ?? []) this.visit(part);
    this.#statement(body);
  }

  visitWhileStmt(node, inner) {
    this.visit(inner.at(-2), LOOP);
    this.#statement(inner.at(-1));
  }
  visitDoStmt(node, [body, condition]) {
    this.visit(condition, LOOP);
    this.#statement(body);
  }
  visitCXXForRangeStmt(node, inner) {
    this.visit(inner[1]);
    this.#statement(inner.at(-1));
  }
  visitCompoundStmt(node, inner) {
    for (const child of inner) this.#statement(child);
  }
  visitCaseStmt(node, inner) {
    this.#statement(inner.at(-1));
  }

  visitConditionalOperator(node, [condition, ...branches]) {
    this.visit(condition, EITHER);
    for (const branch of branches) this.visit(branch);
  }

  visitBinaryOperator(node, [left, right], forced) {
    const { opcode } = node;
    if (opcode === '&&' || opcode === '||') {
      this.#force(node, forced ?? EITHER);
      // To force `a` of `a && b` to false is to force all of it.
      const neutral = opcode === '&&' ? ['true'] : ['false'];
      for (const operand of [left, right]) this.visit(operand, neutral);
      return;
    }
    // To compare with the next number is what another operator does.
    const isKept = ({ kind }) => !(IS_RELATION.test(opcode) && kind === 'IntegerLiteral');
    for (const operand of [left, right].filter((side) => isKept(unwrapped(side)))) this.visit(operand);
    if (OPERATORS[opcode]) this.#binary(node, opcode, left, right, forced);
  }

  visitCXXOperatorCallExpr(node, [callee, left, right], forced) {
    const opcode = operatorOf(callee);
    if (right !== undefined && OPERATORS[opcode])
      return this.visitBinaryOperator({ ...node, opcode }, [left, right], forced);
    if (forced) this.#force(node, forced);
    for (const operand of [left, right]) if (operand) this.visit(operand);
  }

  /** `a != b` where only `==` is defined: the compiler's own nodes lie between it and its operands. */
  visitCXXRewrittenBinaryOperator(node, [inner], forced) {
    this.#force(node, forced ?? EITHER);
    const negated = unwrapped(inner);
    const call = negated.kind === 'UnaryOperator' ? unwrapped(negated.inner[0]) : negated;
    for (const operand of call.inner.slice(1)) this.visit(operand);
  }

  visitShuffleVectorExpr(node, inner) {
    this.#visitAll(inner.slice(0, 2)); // The others are constants.
  }

  visitUnaryOperator(node, [operand], forced) {
    const { opcode } = node;
    if (opcode === '!') {
      this.#force(node, forced ?? EITHER);
      this.visit(operand, []);
      return;
    }
    const text = this.#textOf(node);
    const undone = { '-': 'Negated', '~': 'Complement' }[opcode];
    if (undone && text) this.#value(node, [[undone, text.slice(1).trim()]]);
    this.visit(operand);
  }

  visitIntegerLiteral(node) {
    const text = this.#textOf(node);
    if (!/^(0[xX][\da-fA-F']+|[\d']+)[uUlLzZ]*$/.test(text ?? '')) return;
    this.#value(node, [
      ['Next', `(${text} + 1)`],
      ...(Number(node.value) === 0 ? [] : [['Before', `(${text} - 1)`]]),
    ]);
  }

  visitCXXBoolLiteralExpr(node) {
    this.#force(node, [String(!node.value)]);
  }

  /** A statement that is an expression: it can be left out, and a compound assignment can do another thing. */
  #statement(node) {
    const expression = unwrapped(node);
    const { kind, opcode = operatorOf(expression.inner?.[0]) ?? '' } = expression;
    const isWrite =
      /Operator(CallExpr)?$/.test(kind) && (IS_ASSIGNMENT.test(opcode) || /^(\+\+|--)$/.test(opcode));
    if (isWrite || IS_CALL.test(kind)) this.#write(node, expression, opcode);
    this.visit(node);
  }

  #write(node, expression, opcode) {
    const span = this.#spanOf(node);
    const source = span && this.#sources.get(span.file);
    const after = source && /^\s*;/.exec(source.slice(span.end));
    if (!after) return;
    const text = source.slice(span.begin, span.end);
    const mutants = [{ text: '' }];
    const other = opcode.endsWith('=') && OPERATORS[opcode.slice(0, -1)]?.[1];
    const between = other && this.#between(expression.inner.at(-2), expression.inner.at(-1), opcode);
    if (between) {
      const [from, to] = [between[0] - span.begin, between[1] - span.begin];
      mutants.push({ text: `${text.slice(0, from)} ${other}= ${text.slice(to)};` });
    }
    this.#add({ ...span, end: span.end + after[0].length, form: 'statement', rank: 0, mutants });
  }

  #binary(node, opcode, left, right, forced) {
    const span = this.#spanOf(node);
    const between = span && this.#between(left, right, opcode);
    if (!between) return;
    const source = this.#sources.get(span.file);
    const [functor, ...siblings] = OPERATORS[opcode];
    const [before, after] = [source.slice(span.begin, between[0]), source.slice(between[1], span.end)];
    const swapped = siblings.map((other) => ({
      functor: OPERATORS[other][0],
      text: `${before} ${other} ${after}`,
    }));
    const values = IS_RELATION.test(opcode) ? (forced ?? EITHER) : (forced ?? []);
    const mutants = [...swapped, ...values.map(toValue)];
    this.#add({ ...span, between, form: 'binary', functor, rank: 1, mutants });
  }

  /** Where the operator stands, with the white space around it. */
  #between(left, right, opcode) {
    const [one, other] = [this.#spanOf(left), this.#spanOf(right)];
    if (!one || !other || one.file !== other.file) return undefined;
    const text = this.#sources.get(one.file).slice(one.end, other.begin);
    return text.trim() === opcode ? [one.end, other.begin] : undefined;
  }

  #force(node, values) {
    const literal = node.kind === 'CXXBoolLiteralExpr' ? String(node.value) : undefined;
    this.#value(
      node,
      values.filter((value) => value !== literal).map((value) => [toValue(value).functor, value]),
      'condition',
    );
  }

  #value(node, mutants, form = 'value') {
    const span = this.#spanOf(node);
    if (!span) return;
    this.#add({ ...span, form, rank: 2, mutants: mutants.map(([functor, text]) => ({ functor, text })) });
  }

  /** A node may be met twice, as the body of a lambda; and an operator's operand may be all that it has. */
  #add(place) {
    const key = `${place.file} ${place.begin} ${place.end} ${place.form}`;
    if (!this.places.has(key)) this.places.set(key, place);
  }

  #textOf(node) {
    const span = this.#spanOf(node);
    return span && this.#sources.get(span.file).slice(span.begin, span.end);
  }

  /** Where a node stands; undefined where a macro made it, or in another file. */
  #spanOf({ range = {} }) {
    const { begin = {}, end = {} } = range;
    if (begin.offset === undefined || end.offset === undefined || begin.file !== end.file) return undefined;
    if (!this.#sources.has(begin.file)) return undefined;
    return { file: begin.file, begin: begin.offset, end: end.offset + end.tokLen };
  }
}

const toValue = (value) => ({ functor: value === 'true' ? 'True' : 'False', text: value });
