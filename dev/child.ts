import { spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A process that we started, whose words go to a file. */
export interface Child {
  pid: number;
  /** Resolves with how it ended, and never rejects. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  isRunning(): boolean;
  /** Asks it to stop and waits; after `patience` ms it is killed. */
  stop(patience?: number): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** What it wrote since it was started. */
  said(): string;
  /** Each line that it writes, from its start on, soon after it is written. */
  follow(heard: (line: string) => void): void;
}

/**
 * Runs a TypeScript file under this same Node. Detached: the terminal's Ctrl-C reaches us, and we decide in which order things stop.
 */
export function startChild(options: {
  script: string;
  node?: string[];
  args?: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
}): Child {
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, 'a');
  const from = statSync(options.logFile).size;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...(options.node ?? []), options.script, ...(options.args ?? [])],
    {
      cwd: options.cwd,
      env: options.env,
      detached: process.platform !== 'win32',
      // The channel carries nothing: when it closes the child knows that we have ended, in whatever way, and stops.
      stdio: ['ignore', log, log, 'ipc'],
    },
  );
  child.channel?.unref();
  closeSync(log);
  let running = true;
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      running = false;
      resolve({ code, signal });
    };
    child.once('exit', end);
    child.once('error', () => end(1, null));
  });
  return {
    pid: child.pid ?? 0,
    ended,
    isRunning: () => running,
    kill: (signal) => void child.kill(signal),
    said: () => readFileSync(options.logFile).subarray(from).toString(),
    follow: (heard) => followLines(options.logFile, from, () => running, heard),
    async stop(patience = 15_000) {
      if (!running) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), patience);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** How often a followed log is read, in milliseconds. */
const read_every = 250;

function followLines(file: string, from: number, isRunning: () => boolean, heard: (line: string) => void): void {
  const decoder = new TextDecoder();
  let [at, rest] = [from, ''];
  const look = () => {
    const last = !isRunning();
    // Without the log there is nothing left to follow.
    if (!existsSync(file)) return clearInterval(timer);
    const log = openSync(file, 'r');
    const fresh = Buffer.alloc(Math.max(0, fstatSync(log).size - at));
    at += readSync(log, fresh, 0, fresh.length, at);
    closeSync(log);
    const lines = (rest + decoder.decode(fresh, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) heard(line);
    if (last) clearInterval(timer);
  };
  const timer = setInterval(look, read_every).unref();
}

/** Why a process ended, as one sentence for a person. Earlier output, after which it continued to run, is no reason. */
export function whyEnded(said: string, { code, signal }: { code: number | null; signal: NodeJS.Signals | null }): string {
  if (signal) return `It was ended by the signal ${signal}, from outside.`;
  const last = readLogLine(said.trimEnd().split('\n').at(-1) ?? '');
  if (!said.trim() || (last && last.level < 50)) return `It ended with the exit code ${code}, and gave no reason.`;
  return lastWords(said);
}

/**
 * The last thing that a process had to say for itself, for a person: all that it wrote after its last line of log (settings are named a line each), else its
 * last error there.
 */
export function lastWords(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() && !/^\s+at |^Node\.js v|^\(node:\d+\)/.test(line));
  const logged = lines.map(readLogLine).filter((entry) => entry !== null);
  const plain = lines.slice(lines.findLastIndex((line) => readLogLine(line) !== null) + 1);
  const error = logged.findLast((entry) => entry.level >= 50);
  // Node prints what it was thrown between a piece of code and the error's other properties.
  const thrown = /^\w*Error(?: \[\w+\])?: (.+)/.exec(plain.findLast((line) => /^\w*Error\b.*: /.test(line)) ?? '')?.[1];
  return thrown ?? (plain.join('\n') || (error?.text ?? logged.at(-1)?.text ?? 'It said nothing.'));
}

/** The message of a line of log that is meant for the operator too; null for all other lines. */
export function toOperator(line: string): string | null {
  return line.includes('"operator":true') ? (readLogLine(line)?.text ?? null) : null;
}

function readLogLine(line: string): { level: number; text: string } | null {
  if (!line.startsWith('{')) return null;
  try {
    const { level, msg, err } = JSON.parse(line) as { level?: number; msg?: string; err?: { message?: string } };
    return { level: level ?? 30, text: err?.message ?? msg ?? '' };
  } catch {
    return null;
  }
}
