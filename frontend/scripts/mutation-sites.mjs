// Paths of TypeScript and Svelte files as JSON on stdin; where each can be mutated, and how, on stdout: a JSON line for
// each mutation, with its span in bytes. Called by scripts/mutants.
import { readFileSync } from 'node:fs';

import ts from 'typescript';

const K = ts.SyntaxKind;
const BINARY = new Map([
  [K.LessThanToken, ['comparison', '<=', '>=']],
  [K.LessThanEqualsToken, ['comparison', '<', '>']],
  [K.GreaterThanToken, ['comparison', '>=', '<=']],
  [K.GreaterThanEqualsToken, ['comparison', '>', '<']],
  [K.EqualsEqualsEqualsToken, ['comparison', '!==']],
  [K.ExclamationEqualsEqualsToken, ['comparison', '===']],
  [K.EqualsEqualsToken, ['comparison', '!=']],
  [K.ExclamationEqualsToken, ['comparison', '==']],
  [K.PlusToken, ['arithmetic', '-']],
  [K.MinusToken, ['arithmetic', '+']],
  [K.AsteriskToken, ['arithmetic', '/']],
  [K.SlashToken, ['arithmetic', '*']],
  [K.PercentToken, ['arithmetic', '*']],
  [K.PlusEqualsToken, ['arithmetic', '-=']],
  [K.MinusEqualsToken, ['arithmetic', '+=']],
  [K.AmpersandAmpersandToken, ['boolean operator', '||']],
  [K.BarBarToken, ['boolean operator', '&&']],
]);

/**
 * Yields [operator, start, end, after] of each mutation below `node`, in units of the script's text.
 *
 * @param {ts.Node} node
 * @param {ts.SourceFile} file
 * @returns {Generator<[string, number, number, string]>}
 */
function* mutations(node, file) {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
  const [start, end] = [node.getStart(file), node.getEnd()];
  if (ts.isBinaryExpression(node)) {
    const text = [node.left, node.right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
    const [operator, ...others] = BINARY.get(node.operatorToken.kind) ?? [];
    const token = node.operatorToken;
    if (operator !== undefined && !(operator === 'arithmetic' && text))
      for (const after of others) yield [operator, token.getStart(file), token.getEnd(), after];
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken) {
    yield ['not removed', start, start + 1, ''];
  } else if (ts.isNumericLiteral(node) && Number.isInteger(Number(node.text))) {
    yield ['integer constant', start, end, `${Number(node.text) + 1}`];
    yield ['integer constant', start, end, `(${Number(node.text) - 1})`];
  } else if (node.kind === K.TrueKeyword || node.kind === K.FalseKeyword) {
    yield ['boolean constant', start, end, `${node.kind === K.FalseKeyword}`];
  } else if (ts.isReturnStatement(node) && node.expression !== undefined) {
    yield ['returned value', start, end, 'return;'];
  } else if (ts.isBreakStatement(node) || ts.isContinueStatement(node)) {
    if (!ts.findAncestor(node, ts.isSwitchStatement))
      yield ['break or continue', start, end, ts.isBreakStatement(node) ? 'continue;' : 'break;'];
  } else if (ts.isExpressionStatement(node)) {
    const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    if (ts.isCallExpression(call) && !call.getText(file).startsWith('console.'))
      yield ['statement deleted', start, end, ';'];
  }
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isConditionalExpression(node)) {
    const test = ts.isConditionalExpression(node) ? node.condition : node.expression;
    if (!ts.isPrefixUnaryExpression(test))
      yield ['not added', test.getStart(file), test.getEnd(), `!(${test.getText(file)})`];
  }
  for (const child of node.getChildren(file)) yield* mutations(child, file);
}

for (const path of JSON.parse(readFileSync(0, 'utf8'))) {
  const text = readFileSync(path, 'utf8');
  const scripts = path.endsWith('.svelte')
    ? [...text.matchAll(/(<script\b[^>]*>)(.*?)<\/script>/gs)].map(([, tag = '', script = ''], n, all) => ({
        offset: (all[n]?.index ?? 0) + tag.length,
        script,
      }))
    : [{ offset: 0, script: text }];
  for (const { offset, script } of scripts) {
    const file = ts.createSourceFile(path, script, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
    const bytes = (/** @type {number} */ index) => Buffer.byteLength(text.slice(0, offset + index));
    for (const [operator, start, end, after] of mutations(file, file))
      console.log(JSON.stringify({ path, operator, start: bytes(start), end: bytes(end), after }));
  }
}
