import { createContext, Script } from 'node:vm';
import { parseSync } from 'vite';
import { type Node, walk } from './syntax-tree.ts';

export interface Pattern {
  file: string;
  line: number;
  pattern: RegExp;
}

/** Characters of a text that nobody may use to stop a program; a line of a file that a user writes has 4096 at most. */
const LENGTH = 40_000;
/** Milliseconds at that length, between those of linear patterns, at most 8, and of quadratic ones, at least 56. */
const MAX_MS = 24;
/** Four times is quadratic. */
const MAX_GROWTH = 3;
const FIRST_LENGTH = 1000;
/** Milliseconds of a short text that are worth a measurement; a quadratic pattern takes 0.05 or more. */
const SUSPICIOUS_MS = 0.02;
const MEASUREMENTS = 3;
const SUSPECTS = 3;
const TIMEOUT_MS = 1000;

/** A place of a pattern. */
const atom =
  /\\p\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\k<\w*>|\\[^]|\[(?:\\[^]|[^\]\\])*\]|\(\?<?[=!:]|\(\?<\w*>|\{[\d,]*\}|[^]/giu;
const ownText = 'our own source, or the output of our own tools';
/** Patterns that may read a text many times, with the reasons. */
const boundedPatterns: Record<string, string> = {
  [String.raw`agent/dns-filter/address.ts /^(?:\[([^\]]+)\]|([^[\]:]+|.*:.*:.*?))(?::(\d{1,5}))?$/`]: 'an option of an administrator',
  'agent/dns-filter/verdict.ts /[a-z0-9_.-]*$/': 'the name of a site, 253 characters at most',
  'agent/os/linux/resolved-conf.ts /[%#].*$/': 'a server in a file of an administrator, without blanks',
  [String.raw`server/cli/doctor/mask.ts /^[\w+]+:\/\/([^:/]*):?([^/]*)@/`]: 'a setting of the operator',
  [String.raw`server/notifications/render/word-budget.ts /.+?[.!?](?=\s|$)\s*/gs`]:
    'a message of ours, in which names have 100 characters at most',
  [String.raw`dev/compared-secrets.ts /\([^]*\)|\[[^]*\]|[!?]/g`]: ownText,
  [String.raw`dev/compared-secrets.ts /\/\*[\s\S]*?\*\//g`]: ownText,
  [String.raw`dev/gates.ts /Tests\s.*?(\d+) passed/`]: ownText,
  [String.raw`dev/gates.ts /parseFile\w*\D+(\d+)/`]: ownText,
  [String.raw`dev/imports.ts /\/\*[\s\S]*?\*\//g`]: ownText,
  [String.raw`dev/linear-patterns.ts ${atom}`]: ownText,
  [String.raw`dev/links.ts /\[([^\]]*)\]\([^)]*\)/g`]: ownText,
  [String.raw`dev/metrics-text.ts /(\w+)(?:=~|!~|!=|=)"/g`]: ownText,
  [String.raw`dev/metrics-text.ts /\b((?:porchlight|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g`]: ownText,
  [String.raw`dev/metrics-text.ts /\b(?:by|on) \(([^)]*)\)/g`]: ownText,
  [String.raw`dev/metrics-text.ts /(\w+)="(?:[^"\\]|\\.)*"/g`]: ownText,
  [String.raw`dev/process-tree.ts /^\s*(\d+)\s+(\d+)\s+(.*)$/`]: ownText,
};

/** The literals of a file, and patterns that are made of one constant text. */
export function patternsIn(file: string, source: string): Pattern[] {
  const patterns: Pattern[] = [];
  const add = ({ start }: Node, text: string, flags: string) =>
    patterns.push({ file, line: source.slice(0, start).split('\n').length, pattern: new RegExp(text, flags) });
  walk(parseSync(file, source).program, (node) => {
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex) add(node, regex.pattern, regex.flags);
    else if (node.type === 'NewExpression' && (node.callee as { name?: string }).name === 'RegExp') {
      const [text, flags] = (node.arguments as Node[]).map(constantText);
      if (typeof text === 'string') add(node, text, flags ?? '');
    }
  });
  return patterns;
}

function constantText(node: Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  const template = node.type === 'TaggedTemplateExpression' ? node.quasi : node;
  const { quasis = [] } = template as { quasis?: { value: { raw: string; cooked: string } }[] };
  const [only, ...others] = quasis;
  return only && !others.length ? (template === node ? only.value.cooked : only.value.raw) : null;
}

const candidates = [
  'a1 xAZ_-.,:;/"\'=<>()[]{}!?@#%&*+~|\\$^`'.split(''),
  '\n',
  '\t',
  '\r',
  '\u00e9',
  '\u4e2d',
  '\u{1f600}',
  '\u0001',
].flat();
const noAtom = /^(?:\(|\)|\||[*+?^$]|\{[\d,]*\}|\\[bB\d]|\\k)/;

/** A character for each place of a pattern that reads one; two for a class, since the first of a class may also be read elsewhere. */
function charactersOf({ source, flags }: RegExp): string[][] {
  const places: string[][] = [];
  for (const [text] of source.matchAll(atom)) {
    if (noAtom.test(text)) continue;
    const isRead = new RegExp(`^${text === '/' ? '\\/' : text}$`, flags.replace(/[gmy]/g, ''));
    const read = candidates.filter((character) => isRead.test(character));
    const found = read.length
      ? [read[0] ?? '', read.at(-1) ?? '', ...(read.includes('\n') ? ['\n'] : [])]
      : text.length === 1
        ? [text]
        : [];
    if (found.length) places.push([...new Set(found)]);
  }
  return places;
}

interface Shape {
  before: string;
  pump: string;
  after: string;
}

/** Texts that repeat what a pattern reads in a row, and then do not fit. */
export function hostileShapes(pattern: RegExp): Shape[] {
  const places = charactersOf(pattern).slice(0, 40);
  const first = places.map(([character = '']) => character);
  const shapes = new Map<string, Shape>();
  for (const [at, characters] of places.entries()) {
    const pumps = [...characters, ...[2, 3, 4, first.length].map((length) => first.slice(at, at + length).join(''))];
    for (const pump of pumps) {
      for (const before of ['', first.slice(0, at).join(''), first.slice(0, at + 1).join('')])
        for (const after of ['!', '\u0001\n', '']) shapes.set(JSON.stringify([before, pump, after]), { before, pump, after });
    }
  }
  return [...shapes.values()];
}

const textOf = ({ before, pump, after }: Shape, length: number) => before + pump.repeat(Math.ceil(length / pump.length)) + after;

/**
 * Milliseconds of this thread on the processor, so other programs do not count. Systems count it in steps of a few milliseconds, and share them out
 * between user and system by chance, so only the sum of a long run is right.
 */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const measure = new Script(`
  for (at = 0; at < texts.length; at++) {
    const before = now();
    if (pattern.global) texts[at].replace(pattern, '');
    else pattern.exec(texts[at]);
    times[at] = now() - before;
  }
`);

/** Milliseconds for each text by the clock `now`. Infinite when a time limit ends it; those after it are not measured, and missing. */
function timesOf(pattern: RegExp, texts: string[], now: () => number): number[] {
  const times: number[] = [];
  const begin = processorTime();
  const context = { texts, times, pattern: new RegExp(pattern.source, pattern.flags), now, at: 0 };
  try {
    measure.runInContext(createContext(context), { timeout: TIMEOUT_MS });
  } catch {
    // On a busy computer the limit may end a text that took no time of the processor.
    const spent = processorTime() - begin;
    times[context.at] = spent > MAX_MS ? Number.POSITIVE_INFINITY : spent;
  }
  return times;
}

/** The text at which a pattern takes much more than twice the time for twice the length; null for a linear one. */
export function slowShape(pattern: RegExp): Shape | null {
  const shapes = hostileShapes(pattern);
  const shortTexts = shapes.map((shape) => textOf(shape, FIRST_LENGTH));
  // The shortest of several times: nothing makes a pattern faster by chance.
  const rounds = Array.from({ length: MEASUREMENTS }, () => timesOf(pattern, shortTexts, () => performance.now()));
  const suspects = shapes
    .map((shape, at) => ({ shape, time: Math.min(...rounds.flatMap((times) => times[at] ?? [])) }))
    .filter(({ time }) => time > SUSPICIOUS_MS)
    .toSorted((one, other) => other.time - one.time);
  const least = (shape: Shape, length: number) => {
    let least = Number.POSITIVE_INFINITY;
    for (let n = 0; n < MEASUREMENTS && least > MAX_MS; n++)
      least = Math.min(least, timesOf(pattern, [textOf(shape, length)], processorTime)[0] ?? 0);
    return least;
  };
  for (const { shape } of suspects.slice(0, SUSPECTS)) {
    const time = least(shape, LENGTH);
    if (time === Number.POSITIVE_INFINITY || (time > MAX_MS && time > MAX_GROWTH * least(shape, LENGTH / 2))) return shape;
  }
  return null;
}

/** Finds patterns that can stop a program, a sentence each. `read`: returns a file's source. */
export function slowPatterns(files: string[], read: (file: string) => string): { wrong: string[]; checked: number } {
  const patterns = files.flatMap((file) => patternsIn(file, read(file)));
  const known = new Map<string, Shape | null>();
  const shapeOf = (pattern: RegExp) => {
    const key = String(pattern);
    if (!known.has(key)) known.set(key, slowShape(pattern));
    return known.get(key);
  };
  const wrong = patterns
    .filter(({ file, pattern }) => !Object.hasOwn(boundedPatterns, `${file} ${pattern}`))
    .flatMap(({ file, line, pattern }) => {
      const shape = shapeOf(pattern);
      return shape
        ? `${file}:${line}: ${pattern} takes too long for a long text such as ${JSON.stringify(shape.before)}, many ${JSON.stringify(shape.pump)}, ${JSON.stringify(shape.after)}. Make it linear, or say in dev/linear-patterns.ts why its text is short.`
        : [];
    });
  return { wrong, checked: patterns.length };
}
