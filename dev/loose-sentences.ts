import { isNode, type Node, walk } from './syntax-tree.ts';

/** Folders with sentences that people read on screens, in emails, texts and calls. */
const readByPeople = /^(dashboard|agent\/(api|ui)|server\/(features|notifications))\//;
/** Files that hold the sentences of a room; tables of routes have the titles of pages. */
const catalogue = /(^|[-/])(messages|words|texts?|wording|sentences?|emails?)([-./]|$)|\/render\/|^dashboard\/app\/(guest-)?routes\.tsx$/;
/** Operators read these, or only tests. */
const others = /\.test\.tsx?$|\/(testing|metrics|operator-alerts)\//;
/** A part of a file that holds its sentences. */
const ownCatalogue = /(messages|words|texts?|email)$/i;
/** Two words, and a capital or an end. */
const isSentence = /^(?=[^]*\p{L}{2}[,;:]? [\p{L}“"‘'{])(?=[^]*(\p{Lu}|[.!?]$))/u;
/** Their texts go into logs, to operators, to developers, or nowhere. */
const unreadCalls = /(^|\.)(log|warn|info|error|debug|noteFailure)$/;
/** Markup, styles, headers and cookies. */
const forPrograms = /^(<|:root|body\{|Bearer |HTTP |POST |GET, )|; Path=/;

/** The offsets of sentences in a product's file that are in no catalogue, where a translator would not find them. */
export function looseSentences(file: string, source: string, program: unknown): number[] {
  if (!readByPeople.test(file) || catalogue.test(file) || others.test(file)) return [];
  const nameOf = (node: unknown) => (isNode(node) ? source.slice(node.start, node.end) : '');
  const found: number[] = [];
  walk(program, (node) => {
    if (isUnread(node, nameOf)) return 'skip';
    const text = textOf(node);
    if (text !== null && isSentence.test(text.trim()) && !forPrograms.test(text)) found.push(node.start);
    return undefined;
  });
  return found;
}

function isUnread(node: Node, nameOf: (node: unknown) => string): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'TaggedTemplateExpression':
      return true;
    case 'CallExpression':
      return unreadCalls.test(nameOf(node.callee));
    case 'NewExpression':
      return /(Error|RegExp)$/.test(nameOf(node.callee));
    case 'FunctionDeclaration':
    case 'VariableDeclarator':
      return ownCatalogue.test(nameOf(node.id).replace(/:.*/s, ''));
    default:
      return false;
  }
}

function textOf(node: Node): string | null {
  if (node.type === 'JSXText' || node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type !== 'TemplateLiteral') return null;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('x');
}
