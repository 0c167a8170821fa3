import { spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Child {
  pid: number;
  /** Resolves when the process has ended. Never rejects. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  isRunning(): boolean;
  /** Sends SIGTERM, and SIGKILL after the timeout in ms. */
  stop(timeoutMs?: number): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  output(): string;
  follow(onLine: (line: string) => void): void;
}

/** Detached, so that Ctrl-C reaches only the parent, which decides the order of stopping. */
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
  const startOffset = statSync(options.logFile).size;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...(options.node ?? []), options.script, ...(options.args ?? [])],
    {
      cwd: options.cwd,
      env: options.env,
      detached: process.platform !== 'win32',
      // The child process stops when this channel closes, which happens however the parent ends.
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
    output: () => readFileSync(options.logFile).subarray(startOffset).toString(),
    follow: (onLine) => followLines(options.logFile, startOffset, () => running, onLine),
    async stop(timeoutMs = 15_000) {
      if (!running) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

const POLL_MS = 250;

function followLines(file: string, startOffset: number, isRunning: () => boolean, onLine: (line: string) => void): void {
  const decoder = new TextDecoder();
  let [readOffset, unfinishedLine] = [startOffset, ''];
  const readLines = () => {
    const isLast = !isRunning();
    if (!existsSync(file)) return clearInterval(timer);
    const log = openSync(file, 'r');
    const newBytes = Buffer.alloc(Math.max(0, fstatSync(log).size - readOffset));
    readOffset += readSync(log, newBytes, 0, newBytes.length, readOffset);
    closeSync(log);
    const lines = (unfinishedLine + decoder.decode(newBytes, { stream: true })).split('\n');
    unfinishedLine = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (isLast) clearInterval(timer);
  };
  const timer = setInterval(readLines, POLL_MS).unref();
}

/** The reason for a process's end: its last output. Output before the process went on is no reason. */
export function endReason(output: string, { code, signal }: { code: number | null; signal: NodeJS.Signals | null }): string {
  if (signal) return `It was ended by the signal ${signal}, from outside.`;
  const lastLine = readLogLine(output.trimEnd().split('\n').at(-1) ?? '');
  if (!output.trim() || (lastLine && lastLine.level < 50)) return `It ended with the exit code ${code}, and gave no reason.`;
  return lastMessage(output);
}

/** The output after the last line of log (settings are listed a line each), else the last error in the log. */
export function lastMessage(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() && !/^\s+at |^Node\.js v|^\(node:\d+\)/.test(line));
  const logged = lines.map(readLogLine).filter((entry) => entry !== null);
  const plainLines = lines.slice(lines.findLastIndex((line) => readLogLine(line) !== null) + 1);
  const error = logged.findLast((entry) => entry.level >= 50);
  // Node prints an uncaught error between a code excerpt and its other properties.
  const thrown = /^\w*Error(?: \[\w+\])?: (.+)/.exec(plainLines.findLast((line) => /^\w*Error\b.*: /.test(line)) ?? '')?.[1];
  return thrown ?? (plainLines.join('\n') || (error?.text ?? logged.at(-1)?.text ?? 'It said nothing.'));
}

export function operatorLines(line: string): string | null {
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
