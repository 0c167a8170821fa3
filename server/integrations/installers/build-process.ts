import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, constants as fileAccess, readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { delimiter, join } from 'node:path';
import { type BuildEnd, buildEnd, signedWith } from '@porchlight/contract/installer-build.ts';
import type { InstallerBuilder } from './installers.ts';

const limit_ms = 20 * 60_000;
/** How long a build may take to end after SIGTERM. */
const stop_ms = 3_000;
const max_output = 4_000;

/** The rest of the environment has passwords, and npm and other programs run in the build. */
const passedOn =
  /^(PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SystemRoot|ComSpec|PATHEXT|TMPDIR|TEMP|TMP|LANG|NODE_EXTRA_CA_CERTS|NODE_COMPILE_CACHE|npm_config_\w+|(https?|no)_proxy)$/i;

export interface BuildProcessSettings {
  /** The path of `packaging/build.ts`, which the server finds and does not import. */
  script: string;
  args: string[];
  /** The server's environment. */
  env: NodeJS.ProcessEnv;
  /** What the build gets beside the harmless part of `env`. */
  own: Record<string, string | undefined>;
  limitMs?: number;
}

/** Builds the installers in a process of its own, with low priority. */
export function buildProcess({ script, args, env, own, limitMs = limit_ms }: BuildProcessSettings): InstallerBuilder {
  const buildEnv = { ...Object.fromEntries(Object.entries(env).filter(([name]) => passedOn.test(name))), ...own };
  return {
    async build(stop) {
      if (stop.aborted) return { end: 'interrupted' };
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
        env: buildEnv,
        // Its own process group, so that the programs that it runs end with it.
        detached: process.platform !== 'win32',
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
      return ended(child, stop, limitMs);
    },
    hasMakensis: () => isInPath('makensis', env.PATH ?? ''),
    signedWith: () => signatureOf(env),
  };
}

type End = Awaited<ReturnType<InstallerBuilder['build']>>;

async function ended(child: ChildProcess, stop: AbortSignal, limitMs: number): Promise<End> {
  let output = '';
  let reported: BuildEnd | null = null;
  let isLate = false;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-max_output);
  });
  child.on('message', (message) => {
    reported = buildEnd.safeParse(message).data ?? reported;
  });
  yieldToOthers(child);
  const stopChild = () => endGroup(child);
  const timer = setTimeout(() => {
    isLate = true;
    stopChild();
  }, limitMs).unref();
  stop.addEventListener('abort', stopChild, { once: true });
  const { code, signal, error } = await exitOf(child);
  clearTimeout(timer);
  stop.removeEventListener('abort', stopChild);
  if (error) return failed(error.message);
  if (reported) return reported;
  if (stop.aborted) return { end: 'interrupted' };
  if (isLate) return tooSlow(limitMs);
  if (signal) return { end: 'interrupted' };
  return failed(output.trim().split('\n').at(-1) || `The build ended with the exit code ${code}, and gave no reason.`);
}

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  error: Error | null;
}

const exitOf = (child: ChildProcess): Promise<Exit> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('close', (code, signal) => resolve({ code, signal, error: null }));
  });

const failed = (message: string): BuildEnd => ({ end: 'failed', reason: 'other', message });

const tooSlow = (ms: number): BuildEnd => ({
  end: 'failed',
  reason: 'too_slow',
  message: `The build took longer than ${Math.round(ms / 60_000)} minutes, so it was ended.`,
});

/** Alerts matter more than installers. */
function yieldToOthers({ pid }: ChildProcess): void {
  try {
    if (pid) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The process has ended, which is reported by itself.
  }
}

function endGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), stop_ms);
  child.once('close', () => clearTimeout(timer));
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (!child.pid) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}

async function isInPath(program: string, path: string): Promise<boolean> {
  const names = process.platform === 'win32' ? [`${program}.exe`] : [program];
  const candidates = path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const found = await Promise.all(
    candidates.map((file) =>
      access(file, fileAccess.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

/** A certificate that cannot be read differs from every other, so a build begins, which says in words what is wrong. */
async function signatureOf({ WINDOWS_CERTIFICATE, WINDOWS_TIMESTAMP_URL }: NodeJS.ProcessEnv): Promise<string | null> {
  if (!WINDOWS_CERTIFICATE) return null;
  const content = await readFile(WINDOWS_CERTIFICATE).catch(() => null);
  return content ? signedWith(createHash('sha256').update(content).digest('hex'), WINDOWS_TIMESTAMP_URL) : 'unreadable';
}
