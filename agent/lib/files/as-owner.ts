import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { NotDone, whyNots } from '../not-done.ts';
import { type Asked, firstLine } from './wire.ts';
import type { FileFacts } from './work.ts';

/** In milliseconds: the person whose rights it has may hold it up. */
const TIMEOUT_MS = 120_000;
/** The group of a person whom no list names: nobody's. */
const noGroup = 65_534;

/** What somebody else's process says is looked at. */
const natural = z.number().int().nonnegative();
const facts = z.object({
  ...{ size: natural, uid: natural, gid: natural },
  mode: natural.max(0o7777),
  ...{ mtime_ms: z.number(), atime_ms: z.number() },
  stamp: z.string().max(200),
});
const answer = z.union([z.object({ why: z.enum(whyNots) }), z.object({ facts: facts.nullable() })]);

export interface AsOwnerDeps {
  /** Program and arguments, as they are at this moment: what runs `answerAsOwner`. */
  command: () => string[];
  uid: number;
}

/**
 * Has a short-lived process with the rights of this person, and nothing of root's, work on a file of theirs. `content` goes to it; what it reads comes back
 * to `take`. It belongs to that person, who may hold it up, end it or speak in its place: what it says is checked, and it has nothing that they have not.
 */
export async function asOwner(
  { command, uid }: AsOwnerDeps,
  asked: Asked,
  content: AsyncIterable<Buffer> | null,
  take: (facts: FileFacts, content: AsyncIterable<Buffer>) => Promise<void> = async () => {},
): Promise<void> {
  const [program = '', ...args] = command();
  const gid = await groupOf(uid);
  const child = spawn(program, args, { uid, gid, cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  // Not its `close`: that waits for somebody to read what was refused.
  const over = once(child, 'exit').catch(() => {});
  const limit = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  try {
    await Promise.race([once(child, 'spawn'), once(child, 'error').then(([err]) => Promise.reject(err as Error))]);
    const asking = pipeline(spoken(asked, content), child.stdin);
    // It may answer, and go, before it has heard all.
    asking.catch(() => {});
    const { line, rest } = await firstLine(child.stdout);
    const said = answer.safeParse(parsed(line)).data ?? { why: 'refused' as const };
    if ('why' in said) throw new NotDone(said.why);
    if (said.facts) await take(said.facts, rest);
  } catch (err) {
    throw err instanceof NotDone ? err : new NotDone('refused');
  } finally {
    clearTimeout(limit);
    child.kill('SIGKILL');
    child.stdin.destroy();
    child.stdout.destroy();
    await over;
  }
}

async function* spoken(asked: Asked, content: AsyncIterable<Buffer> | null): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(asked)}\n`);
  if (content) yield* content;
}

/** Their own group and no other. */
function groupOf(uid: number): Promise<number> {
  return new Promise((resolve) => {
    execFile('/usr/bin/id', ['-g', String(uid)], { timeout: 5000, env: {} }, (err, out) => {
      const gid = Number.parseInt(out, 10);
      // Root's group is nobody's own.
      resolve(!err && gid > 0 ? gid : noGroup);
    });
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
