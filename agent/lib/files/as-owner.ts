import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { failureReasons, NotDone } from '../not-done.ts';
import { type FileRequest, firstLine } from './protocol.ts';
import type { FileFacts } from './work.ts';

const TIMEOUT_MS = 120_000;
const noGroup = 65_534;

/** The output of a process with other rights is validated, because it is not trusted. */
const natural = z.number().int().nonnegative();
const facts = z.object({
  ...{ size: natural, uid: natural, gid: natural },
  mode: natural.max(0o7777),
  ...{ mtime_ms: z.number(), atime_ms: z.number() },
  stamp: z.string().max(200),
});
const answer = z.union([z.object({ why: z.enum(failureReasons) }), z.object({ facts: facts.nullable() })]);

export interface AsOwnerDeps {
  /** The command of a process that calls `answerAsOwner`; read at each call. */
  command: () => string[];
  uid: number;
}

/**
 * Works on a file in a process with only the rights of `uid`. `content` is sent to the process; `take` receives the file that it reads.
 * That user controls the process, so its answers are validated, and it receives nothing secret.
 */
export async function asOwner(
  { command, uid }: AsOwnerDeps,
  request: FileRequest,
  content: AsyncIterable<Buffer> | null,
  take: (facts: FileFacts, content: AsyncIterable<Buffer>) => Promise<void> = async () => {},
): Promise<void> {
  const [program = '', ...args] = command();
  const gid = await groupOf(uid);
  const child = spawn(program, args, { uid, gid, cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  // Waits for `exit`, not `close`, which waits until all output was read.
  const exited = once(child, 'exit').catch(() => {});
  const limit = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  try {
    await Promise.race([once(child, 'spawn'), once(child, 'error').then(([err]) => Promise.reject(err as Error))]);
    const asking = pipeline(requestStream(request, content), child.stdin);
    asking.catch(() => {});
    const { line, rest } = await firstLine(child.stdout);
    const reply = answer.safeParse(parsed(line)).data ?? { why: 'refused' as const };
    if ('why' in reply) throw new NotDone(reply.why);
    if (reply.facts) await take(reply.facts, rest);
  } catch (err) {
    throw err instanceof NotDone ? err : new NotDone('refused');
  } finally {
    clearTimeout(limit);
    child.kill('SIGKILL');
    child.stdin.destroy();
    child.stdout.destroy();
    await exited;
  }
}

async function* requestStream(request: FileRequest, content: AsyncIterable<Buffer> | null): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(request)}\n`);
  if (content) yield* content;
}

function groupOf(uid: number): Promise<number> {
  return new Promise((resolve) => {
    execFile('/usr/bin/id', ['-g', String(uid)], { timeout: 5000, env: {} }, (err, stdout) => {
      const gid = Number.parseInt(stdout, 10);
      // Root's group would give a user more rights.
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
