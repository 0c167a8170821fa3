import { spawn } from 'node:child_process';
import { chmod, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { type LocalStatus, localStatus } from '@porchlight/contract/loopback.ts';

export interface CommandOutput {
  /** Null when the command is absent, was ended by a signal, or did not end within its limit. */
  code: number | null;
  /** Standard output and standard error, in the order of arrival. */
  output: string;
}

export interface StartedProgram {
  /** Milliseconds from the start to the end; null when it still runs after `withinMs`. */
  endedAfter(withinMs: number): Promise<number | null>;
  output(): string;
  /** Null while it runs, and after an end by a signal. */
  exitCode(): number | null;
  /** Ends this process by its id, and waits for its end. */
  end(): Promise<void>;
}

export type Answer = 'yes' | 'no' | 'skip';
/** `other`: an agent answers, but to the dashboard of another server. */
export type AgentAnswer = LocalStatus | 'other' | null;

/** All that the self-check can see and do on a computer. */
export interface CheckedSystem {
  platform: 'win32' | 'darwin' | 'linux';
  isAdministrator(): Promise<boolean>;
  /** Runs a command of the system without a shell, with its output in English where the system allows it. */
  run(program: string, ...args: string[]): Promise<CommandOutput>;
  /** Null when it could not be started. */
  start(path: string, args: string[]): Promise<StartedProgram | null>;
  /** Copies a program to a private temporary folder, which `cleanUp` removes. Null when it could not be copied. */
  copyProgram(source: string, name: string): Promise<string | null>;
  /** Ends all that was started and still runs, and removes all copies. Idempotent. */
  cleanUp(): Promise<void>;
  /** Null when there is no such file, or it cannot be read. */
  readText(path: string): Promise<string | null>;
  /** Ends a process at once, without asking it. False when that failed. */
  kill(pid: number): Promise<boolean>;
  /** The agent's answer on loopback. */
  agentStatus(): Promise<AgentAnswer>;
  /** Skips after this time, and at once without a terminal. */
  ask(question: string, seconds: number): Promise<Answer>;
  wait(ms: number): Promise<void>;
  /** Milliseconds, of a clock that never goes back. */
  now(): number;
}

const COMMAND_TIMEOUT_MS = 30_000;
const STATUS_TIMEOUT_MS = 5000;
const LATE_ANSWER_MS = 300;
/** The list of denied starts alone has several hundred thousand characters. */
const MAX_OUTPUT = 8_000_000;
const unixPath = '/usr/sbin:/usr/bin:/sbin:/bin';

export interface RealSystemDeps {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  port: number;
  origin: string;
  signal: AbortSignal;
}

export function realSystem({ platform, env, port, origin, signal }: RealSystemDeps): CheckedSystem {
  const isWindows = platform === 'win32';
  const system32 = win32.join(env.SystemRoot ?? 'C:\\Windows', 'System32');
  const running = new Set<StartedProgram>();
  let folder: string | null = null;
  const commandEnv = isWindows ? env : { ...env, PATH: unixPath, LC_ALL: 'C', LANG: 'C' };

  const start = (file: string, args: string[], timeoutMs?: number) =>
    new Promise<(StartedProgram & { closed: Promise<number | null> }) | null>((resolve) => {
      const startedAt = performance.now();
      const child = spawn(file, args, { env: commandEnv, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          if (output.length < MAX_OUTPUT) output += text;
        });
      const ended = new Promise<number>((done) => child.once('exit', () => done(performance.now() - startedAt)));
      const closed = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      const program = {
        closed,
        // PowerShell may begin with a byte order mark.
        output: () => output.replaceAll('\ufeff', ''),
        exitCode: () => child.exitCode,
        endedAfter: async (withinMs: number) => {
          const limit = new AbortController();
          try {
            return await Promise.race([ended, sleep(withinMs, null, { signal: limit.signal })]);
          } finally {
            limit.abort();
          }
        },
        async end() {
          child.kill('SIGKILL');
          await ended;
        },
      };
      child.once('error', () => {
        clearTimeout(timer);
        resolve(null);
      });
      child.once('spawn', () => {
        running.add(program);
        void ended.then(() => {
          clearTimeout(timer);
          running.delete(program);
        });
        resolve(program);
      });
    });

  return {
    platform: isWindows || platform === 'darwin' ? platform : 'linux',
    async isAdministrator() {
      if (!isWindows) return process.getuid?.() === 0;
      // Only an administrator's terminal may read this.
      return (await this.run('fltmc')).code === 0;
    },
    async run(program, ...args) {
      // By the full path, because Windows searches the folder of this program first.
      const inSystem = program === 'powershell' ? `WindowsPowerShell\\v1.0\\${program}.exe` : `${program}.exe`;
      const file = isWindows && !win32.isAbsolute(program) ? win32.join(system32, inSystem) : program;
      const started = await start(file, args, COMMAND_TIMEOUT_MS).catch(() => null);
      return started ? { code: await started.closed, output: started.output() } : { code: null, output: '' };
    },
    start: (path, args) => start(path, args).catch(() => null),
    async copyProgram(source, name) {
      try {
        folder ??= await mkdtemp(join(tmpdir(), 'porchlight-self-check-'));
        const path = join(folder, name);
        await copyFile(source, path);
        await chmod(path, 0o755);
        return path;
      } catch {
        return null;
      }
    },
    async cleanUp() {
      await Promise.all([...running].map((program) => program.end()));
      // Windows frees the file of a program some moments after its end.
      if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      folder = null;
    },
    readText: (path) => readFile(path, 'utf8').catch(() => null),
    async kill(pid) {
      // The service's process belongs to another user, and taskkill alone asks Windows for the right to end it.
      if (isWindows) return (await this.run('taskkill', '/F', '/PID', String(pid))).code === 0;
      try {
        return process.kill(pid, 'SIGKILL');
      } catch {
        return false;
      }
    },
    async agentStatus() {
      const answer = await fetch(`http://127.0.0.1:${port}/.well-known/`, {
        headers: { origin },
        signal: AbortSignal.timeout(STATUS_TIMEOUT_MS),
      }).catch(() => null);
      const body: unknown = await answer?.json().catch(() => null);
      const status = localStatus.safeParse(body);
      if (answer?.ok && status.success) return status.data;
      return answer && typeof body === 'object' && body !== null && 'code' in body && body.code === 'refused' ? 'other' : null;
    },
    async ask(question, seconds) {
      if (!isatty(0)) return 'skip';
      // `terminal: false`, because otherwise Ctrl+C would only close the question.
      const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
      const limit = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
      try {
        // A late answer to the question before must not answer this one.
        lines.on('line', () => {});
        await sleep(LATE_ANSWER_MS, undefined, { signal: limit });
        const line = await lines.question(`${question} [y = yes, n = no, s = skip] `, { signal: limit });
        const [first = ''] = line.trim().toLowerCase();
        return first === 'y' ? 'yes' : first === 'n' ? 'no' : 'skip';
      } catch {
        process.stdout.write('\n');
        return 'skip';
      } finally {
        lines.close();
      }
    },
    async wait(ms) {
      await sleep(ms, undefined, { signal }).catch(() => {});
    },
    now: () => performance.now(),
  };
}
