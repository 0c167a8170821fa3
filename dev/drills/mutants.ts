import { parseSync } from 'vite';
import { isNode, type Node } from '../syntax-tree.ts';

/** A small change that tests should detect. */
export interface Mutant {
  start: number;
  end: number;
  text: string;
  line: number;
  what: string;
}

const operators: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

const inQueries: Record<string, string> = {
  '=': '!=',
  '!=': '=',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  is: 'is not',
  'is not': 'is',
  in: 'not in',
  'not in': 'in',
  desc: 'asc',
  asc: 'desc',
};

/** Query clauses that filter, sort or lock; a mutant drops such a clause. */
const clauses = new Set(['where', 'whereRef', 'orderBy', 'limit', 'offset', 'forUpdate', 'distinctOn']);
const comparingCalls = new Set(['where', 'whereRef', 'on', 'onRef', 'orderBy', 'having', 'eb']);

/** All mutants of a file, in source order. Types are skipped: they do nothing at run time. */
export function mutantsOf(source: string): Mutant[] {
  const { program, errors } = parseSync('source.ts', source, { lang: 'ts', sourceType: 'module' });
  if (errors.length) throw new Error(`the source does not parse: ${errors[0]?.message}`);
  const mutants: Mutant[] = [];
  const add = (start: number, end: number, text: string, description: string) =>
    mutants.push({ start, end, text, what: description, line: source.slice(0, start).split('\n').length });
  const text = ({ start, end }: Node) => source.slice(start, end);
  const operatorOffset = (leftNode: Node, operator: string) => source.indexOf(operator, leftNode.end);

  const rules: Record<string, (node: Node) => void> = {
    BinaryExpression: (node) => swap(node),
    LogicalExpression: (node) => {
      if (node.operator === '??') add(node.start, node.end, `(${text(node.left as Node)})`, 'the default is gone');
      else swap(node);
    },
    ConditionalExpression: (node) => {
      const [consequent, alternate] = [node.consequent as Node, node.alternate as Node];
      add(consequent.start, alternate.end, `(${text(alternate)}) : (${text(consequent)})`, 'the two answers are exchanged');
    },
    IfStatement: (node) => {
      const test = node.test as Node;
      add(test.start, test.end, `!(${text(test)})`, 'the condition is turned round');
    },
    UnaryExpression: (node) => {
      if (node.operator === '!') add(node.start, node.end, text(node.argument as Node), 'not is gone');
    },
    Literal: (node) => {
      if (typeof node.value === 'boolean') add(node.start, node.end, String(!node.value), `${node.value} is ${!node.value}`);
      if (typeof node.value === 'number') add(node.start, node.end, `(${node.value + 1})`, `${node.value} is ${node.value + 1}`);
    },
    ExpressionStatement: (node) => {
      const { type } = node.expression as Node;
      if (type === 'AwaitExpression' || type === 'CallExpression') add(node.start, node.end, ';', 'the call is gone');
    },
    CallExpression: (node) => {
      const callee = node.callee as Node;
      const name = callee.type === 'MemberExpression' ? String((callee.property as Node).name) : String(callee.name);
      if (callee.type === 'MemberExpression' && clauses.has(name)) {
        const { end } = callee.object as Node;
        add(end, node.end, '', `${name} is gone`);
      }
      if (!comparingCalls.has(name)) return;
      for (const argument of (node.arguments as Node[]).slice(name === 'orderBy' ? 1 : 0)) {
        const replacement = argument.type === 'Literal' ? inQueries[String(argument.value)] : undefined;
        if (replacement) add(argument.start, argument.end, `'${replacement}'`, `${String(argument.value)} is ${replacement}`);
      }
    },
  };
  function swap(node: Node) {
    const operator = String(node.operator);
    const replacement = operators[operator];
    if (!replacement) return;
    const start = operatorOffset(node.left as Node, operator);
    add(start, start + operator.length, replacement, `${operator} is ${replacement}`);
  }

  const walk = (node: Node): void => {
    if (node.type === 'ImportDeclaration') return;
    // `x as T`, `x!` and `x satisfies T` run as x; other `TS` nodes are types.
    if (node.type.startsWith('TS')) return isNode(node.expression) ? walk(node.expression) : undefined;
    rules[node.type]?.(node);
    for (const [key, value] of Object.entries(node)) {
      if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeArguments' || key === 'typeParameters') continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child);
    }
  };
  walk(program as unknown as Node);
  return mutants.toSorted((a, b) => a.start - b.start);
}

export const mutated = (source: string, { start, end, text }: Mutant): string => source.slice(0, start) + text + source.slice(end);

/** A random number generator from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function draw<T>(candidates: T[], count: number, seed: number): T[] {
  const random = seeded(seed);
  const remaining = [...candidates];
  return Array.from(
    { length: Math.min(count, remaining.length) },
    () => remaining.splice(Math.floor(random() * remaining.length), 1)[0] as T,
  );
}
