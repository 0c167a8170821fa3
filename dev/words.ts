import { parseSync } from 'vite';
import { looseSentences } from './loose-sentences.ts';
import { isNode, type Node, walk } from './syntax-tree.ts';

/** A word of docs/glossary.md that says too little, and what to say for it. */
export interface Pattern {
  name: string;
  /** Read in lower case; a name in the code is read as its words, `toldOf` as "told of". */
  found: RegExp;
  say: string;
  /** Where it counts; everywhere when left out. */
  only?: 'names' | 'prose';
  /** The workspaces in which it counts; all of them when left out. */
  folders?: string[];
}

export const patterns: Pattern[] = [
  { name: 'tell', found: /\b(tell|tells|told|telling)\b/, say: 'notify (people), report (agent to server), log' },
  { name: 'said', found: /\b(said|saying)\b/, say: 'output, message, log, report' },
  { name: 'look', found: /\b(look|looks|looked|looking)\b(?!.?(like|alike|up\b|for\b))/, say: 'scan, poll, read, page visit' },
  { name: 'anew', found: /\banew\b/, say: 'again, restart, re-evaluate' },
  { name: 'whoever', found: /\bwhoever\b/, say: 'user, person, holder, guardian, operator, contributor' },
  { name: 'lies', found: /\b(lies|lie|lay)\b/, say: 'is' },
  { name: 'stands', found: /\b(stands|stood)\b(?! for\b)/, say: 'is' },
  { name: 'kept', found: /\bkept\b/, say: 'stored, cached, retained' },
  { name: 'held', found: /\bheld\b(?! requests?)/, say: 'quarantined, locked, waiting' },
  { name: 'to be had', found: /\bto be had\b/, say: 'available' },
  { name: 'all the same', found: /\ball the same\b/, say: 'anyway, still' },
  { name: 'the person', found: /\bthe person\b/, say: 'the user', only: 'prose' },
  { name: 'one that', found: /\bones? (that|which)\b/, say: 'the name of the thing', only: 'prose' },
  { name: 'no more', found: /\bno more\b(?! than)/, say: 'no longer', only: 'prose' },
  { name: 'hopeless', found: /\bhopeless\b/, say: 'permanent error, dead letter' },
  { name: 'patience', found: /\bpatience\b/, say: 'timeout' },
  { name: 'simulators', found: /\b(till|textbox|pretend|pretends)\b/, say: 'simulator', only: 'names' },
  { name: 'stand-in', found: /\bstand-?ins?\b/, say: 'simulator, fake' },
  { name: 'letters', found: /(?<!\bdead )\bletters?\b/, say: 'email', only: 'names' },
  { name: 'news', found: /\bnews\b/, say: 'notification, event' },
  { name: 'acts', found: /\bacts\b/, say: 'activity log, entry', only: 'names' },
  { name: 'care', found: /\b(care|silences?|hearing)\b/, say: 'device health, outage, uptime', only: 'names' },
  { name: 'judge', found: /\b(judge|judges|judging)\b/, say: 'matcher, verdict' },
  { name: 'outside', found: /\boutside\b/, say: 'integration', only: 'names' },
  { name: 'wires', found: /\b(wire|wires|hands)\b/, say: 'compose; dependencies (Deps)', only: 'names' },
  {
    name: 'parts',
    found: /^parts$/,
    say: 'dependencies (Deps)',
    only: 'names',
    folders: ['server', 'agent', 'dashboard', 'simulators'],
  },
  // Shapes of another language, in which a reader looks for the subject.
  { name: 'of before', found: /\bof (before|then|later|yesterday)\b/, say: 'earlier, former, previous', only: 'prose' },
  { name: 'that … which', found: /\bthat\b[^.,;:]{1,60}\bwhich\b/, say: 'two sentences', only: 'prose' },
  { name: 'begins with As, Of, To', found: /(?<=^[\s*]*|[.!?] )(as|of|to) (?=[a-z])/, say: 'the subject first', only: 'prose' },
  // Found by `looseSentences`.
  { name: 'a sentence in the code', found: /(?!)/, say: 'it in a messages, words, texts or emails file of its room' },
  { name: 'family', found: /\bfamil(y|ies)\b/, say: 'definition', folders: ['definitions', 'agent'] },
];

/**
 * Names that keep a word of the list because they are data: of tables and of libraries.
 */
const dataFields = new Set([
  // P10: what waits for a yes.
  'held',
]);

export interface Finding {
  file: string;
  /** From 1. */
  line: number;
  pattern: string;
  text: string;
}

/** The workspace of a file. */
export const folderOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : '.');

/** What of a TypeScript file people read: its name, the names in it, its comments and the titles of its tests. */
export function findWords(file: string, source: string): Finding[] {
  const lineOf = lineCounter(source);
  const wanted = patterns.filter(({ folders }) => !folders || folders.includes(folderOf(file)));
  const found: Finding[] = [];
  const read = (kind: 'names' | 'prose', text: string, at: number) => {
    const words = (kind === 'names' ? wordsOf(text) : text).toLowerCase();
    for (const { name, found: pattern, only } of wanted) {
      if (only && only !== kind) continue;
      for (const { index } of words.matchAll(new RegExp(pattern, 'g'))) {
        found.push({
          file,
          line: lineOf(kind === 'prose' ? at + index : at),
          pattern: name,
          text: excerpt(text, kind === 'prose' ? index : 0),
        });
      }
    }
  };
  const path = file.split('/').slice(1).join(' ');
  // A released migration is known to every database by its file name.
  if (!file.startsWith('server/db/migrations/')) read('names', path.replace(/\.\w+$/, ''), 0);
  const { program, comments } = parseSync(file, source);
  // Two slashes, or a slash and a star, are before the text.
  for (const { value, start } of comments) read('prose', withoutCode(value), start + 2);
  const names = new Map<string, number>();
  walk(program, (node) => {
    const isField = node.type === 'TSPropertySignature';
    for (const { name, start } of declaredIn(node)) if (!names.has(name) && !(isField && dataFields.has(name))) names.set(name, start);
    for (const { text, start } of titlesOf(node)) read('prose', text, start);
  });
  for (const [name, start] of names) read('names', name, start);
  for (const start of looseSentences(file, source, program))
    found.push({ file, line: lineOf(start), pattern: 'a sentence in the code', text: excerpt(source.slice(start), 0) });
  return found;
}

/** Code in a comment has the names of the code; blanks stand for it so that offsets stay. */
const withoutCode = (comment: string) => comment.replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));

/** `toldOf` and `TOLD_OF` are told of. */
const wordsOf = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_\-/.]+/g, ' ');

const excerpt = (text: string, at: number) =>
  text
    .slice(Math.max(0, at - 30), at + 50)
    .replace(/\s+/g, ' ')
    .trim();

function lineCounter(source: string): (at: number) => number {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index);
  return (at) => 1 + ends.filter((end) => end < at).length;
}

const isName = (node: Node): node is Node & { name: string } =>
  ['Identifier', 'PrivateIdentifier'].includes(node.type) && 'name' in node && typeof node.name === 'string';

/** The names that a node declares. A use of a name is not counted: it changes with its declaration, or it belongs to a library. */
function declaredIn(node: Node): { name: string; start: number }[] {
  const field = (key: string) => node[key];
  switch (node.type) {
    case 'VariableDeclarator':
      return boundIn(field('id'));
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'TSFunctionType':
    case 'TSMethodSignature':
      return [...boundIn(field('id')), ...boundIn(field('params')), ...boundIn(field('key'))];
    case 'CatchClause':
      return boundIn(field('param'));
    case 'ClassDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSEnumDeclaration':
      return boundIn(field('id'));
    case 'TSPropertySignature':
    case 'PropertyDefinition':
    case 'MethodDefinition':
      return boundIn(field('key'));
    case 'ImportSpecifier':
    case 'ExportSpecifier': {
      const [from, to] = node.type === 'ImportSpecifier' ? [field('imported'), field('local')] : [field('local'), field('exported')];
      return isNode(from) && isNode(to) && isName(from) && isName(to) && from.name !== to.name ? [to] : [];
    }
    default:
      return [];
  }
}

/** The names in a pattern, such as `a` and `b` in `{ x: a, y: [b] }`. The short form `{ x }` is a use: it has the name of the field. */
function boundIn(pattern: unknown): { name: string; start: number }[] {
  if (Array.isArray(pattern)) return pattern.flatMap(boundIn);
  if (!isNode(pattern)) return [];
  if (isName(pattern)) return [pattern];
  const field = (key: string) => pattern[key];
  switch (pattern.type) {
    case 'ObjectPattern':
      return boundIn(field('properties'));
    case 'Property':
      return field('shorthand') ? [] : boundIn(field('value'));
    case 'ArrayPattern':
      return boundIn(field('elements'));
    case 'AssignmentPattern':
      return boundIn(field('left'));
    case 'RestElement':
      return boundIn(field('argument'));
    case 'TSParameterProperty':
      return boundIn(field('parameter'));
    default:
      return [];
  }
}

const runners = new Set(['test', 'it', 'describe']);

/** The title of a test: `test('…')`, `test.skipIf(x).each(rows)('…')`. */
function titlesOf(node: Node): { text: string; start: number }[] {
  if (node.type !== 'CallExpression' || !('callee' in node) || !('arguments' in node) || !runners.has(rootOf(node.callee))) return [];
  const [first] = node.arguments as unknown[];
  if (!isNode(first)) return [];
  if ('value' in first && typeof first.value === 'string') return [{ text: first.value, start: first.start }];
  if (!('quasis' in first)) return [];
  return (first.quasis as (Node & { value: { raw: string } })[]).map(({ value, start }) => ({ text: value.raw, start }));
}

function rootOf(callee: unknown): string {
  if (!isNode(callee)) return '';
  if (isName(callee)) return callee.name;
  if ('object' in callee) return rootOf(callee.object);
  return 'callee' in callee ? rootOf(callee.callee) : '';
}

export type Counts = Record<string, Record<string, number>>;

export function countWords(findings: Finding[]): Counts {
  const counts: Counts = {};
  for (const { file, pattern } of findings.toSorted((a, b) =>
    `${folderOf(a.file)} ${a.pattern}` < `${folderOf(b.file)} ${b.pattern}` ? -1 : 1,
  )) {
    const folder = (counts[folderOf(file)] ??= {});
    folder[pattern] = (folder[pattern] ?? 0) + 1;
  }
  return counts;
}

/** Where there are more than `allowed`, a sentence for each; and where there are fewer. `changed`: files that a new finding is probably in. */
export function compareWords(findings: Finding[], allowed: Counts, changed: string[] = []): { more: string[]; fewer: string[] } {
  const counts = countWords(findings);
  const [more, fewer]: [string[], string[]] = [[], []];
  for (const folder of new Set([...Object.keys(counts), ...Object.keys(allowed)])) {
    for (const { name, say } of patterns) {
      const [now, before] = [counts[folder]?.[name] ?? 0, allowed[folder]?.[name] ?? 0];
      if (now < before) fewer.push(`${folder}: "${name}" ${now} times, and ${before} are allowed`);
      if (now <= before) continue;
      const here = findings.filter(({ file, pattern }) => pattern === name && folderOf(file) === folder);
      const likely = here.filter(({ file }) => changed.includes(file));
      const places = (likely.length ? likely : here).slice(0, 20).map(({ file, line, text }) => `    ${file}:${line}: ${text}`);
      more.push([`${folder}: "${name}" ${now} times, and ${before} are allowed. Say: ${say}.`, ...places].join('\n'));
    }
  }
  return { more, fewer };
}
