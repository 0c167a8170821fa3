import { parseSync } from 'vite';

/** A small change to a program that its tests should notice. */
export interface Mutant {
  /** Offsets into the source, in UTF-16 units; `end` is exclusive. */
  start: number;
  end: number;
  /** What stands there instead. */
  text: string;
  /** 1-based. */
  line: number;
  what: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

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

/** What a query compares with, and how it sorts. */
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

/** Parts of a query that narrow, sort or lock, and without which it is still a query. */
const clauses = new Set(['where', 'whereRef', 'orderBy', 'limit', 'offset', 'forUpdate', 'distinctOn']);
const comparing = new Set(['where', 'whereRef', 'on', 'onRef', 'orderBy', 'having', 'eb']);

/** Every mutant of a TypeScript source that still parses, in the order in which they stand there. Types are left alone: they do nothing when it runs. */
export function mutantsOf(source: string): Mutant[] {
  const { program, errors } = parseSync('source.ts', source, { lang: 'ts', sourceType: 'module' });
  if (errors.length) throw new Error(`the source does not parse: ${errors[0]?.message}`);
  const found: Mutant[] = [];
  const add = (start: number, end: number, text: string, what: string) =>
    found.push({ start, end, text, what, line: source.slice(0, start).split('\n').length });
  const text = ({ start, end }: Node) => source.slice(start, end);
  /** Where an operator stands between two operands. */
  const between = (left: Node, operator: string) => source.indexOf(operator, left.end);

  const rules: Record<string, (node: Node) => void> = {
    BinaryExpression: (node) => swap(node),
    LogicalExpression: (node) => {
      if (node.operator === '??') add(node.start, node.end, `(${text(node.left as Node)})`, 'the default is gone');
      else swap(node);
    },
    ConditionalExpression: (node) => {
      const [then, otherwise] = [node.consequent as Node, node.alternate as Node];
      add(then.start, otherwise.end, `(${text(otherwise)}) : (${text(then)})`, 'the two answers are exchanged');
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
      if (!comparing.has(name)) return;
      for (const argument of (node.arguments as Node[]).slice(name === 'orderBy' ? 1 : 0)) {
        const other = argument.type === 'Literal' ? inQueries[String(argument.value)] : undefined;
        if (other) add(argument.start, argument.end, `'${other}'`, `${String(argument.value)} is ${other}`);
      }
    },
  };
  function swap(node: Node) {
    const operator = String(node.operator);
    const other = operators[operator];
    if (!other) return;
    const start = between(node.left as Node, operator);
    add(start, start + operator.length, other, `${operator} is ${other}`);
  }

  const walk = (node: Node): void => {
    if (node.type === 'ImportDeclaration') return;
    // `x as T`, `x!` and `x satisfies T` run as x; all else of the kind is a type.
    if (node.type.startsWith('TS')) return isNode(node.expression) ? walk(node.expression) : undefined;
    rules[node.type]?.(node);
    for (const [key, value] of Object.entries(node)) {
      if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeArguments' || key === 'typeParameters') continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child);
    }
  };
  walk(program as unknown as Node);
  return found.toSorted((a, b) => a.start - b.start);
}

export const mutated = (source: string, { start, end, text }: Mutant): string => source.slice(0, start) + text + source.slice(end);

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `count` of them, drawn without putting any back; the same ones for the same seed. */
export function draw<T>(all: T[], count: number, seed: number): T[] {
  const random = seeded(seed);
  const rest = [...all];
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(Math.floor(random() * rest.length), 1)[0] as T);
}
