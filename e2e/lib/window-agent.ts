import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { DoorState } from '@porchlight/agent/os/doors.ts';
import type { ProgramSeen } from '@porchlight/definitions/format.ts';
import { root } from '@porchlight/dev/root.ts';
import type { World } from '@porchlight/dev/world.ts';
import type { AgentSettings, FromAgent, StartedBy, ToAgent } from './agent-process.ts';

/** A real agent with a clock that tests can move, and the test's browser as its screen. */
export interface WindowAgent {
  output: string[];
  /** The addresses that the agent opened, oldest first. */
  opened: string[];
  data: string;
  /** The folder that stands for the disk, and is scanned. */
  disk: string;
  /** Opens the window as the tray icon does. */
  open(page: Page): Promise<void>;
  /**
   * Advances the monotonic time by milliseconds, and the clock unless `wall` is false. Resolves once the agent has done so, since requests
   * take another way to it.
   */
  passes(ms: number, options?: { wall: boolean }): Promise<void>;
  /** What an uninstaller does with the PIN or code that was typed: null if it may go on, else the sentence that it shows. */
  mayLeave(typed: string): Promise<string | null>;
  /** Ends the process as a task manager does; the next one has its files. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** What happens on the simulated Windows computer. `start` returns the process id. */
  windows: {
    start(program: Omit<ProgramSeen, 'os'>, how?: StartedBy): Promise<number>;
    isRunning(pid: number): Promise<boolean>;
    isSuspended(pid: number): Promise<boolean>;
    openDoor(change: Partial<DoorState>): Promise<void>;
    doors(): Promise<DoorState>;
    browserPolicies(): Promise<unknown>;
  };
  close(): Promise<void>;
}

export interface WindowAgentOptions {
  free?: boolean;
  /** Files on the disk, by path; without it the agent neither scans nor quarantines. */
  diskFiles?: Record<string, string>;
  /** The port for dashboards and links, free for only one agent at a time. */
  port?: number;
  /** A simulated Windows computer in place of this one. */
  windows?: boolean;
  dns?: AgentSettings['dns'];
}

export async function windowAgent(
  { url }: Pick<World, 'url'>,
  { free = false, diskFiles, port = 0, windows = false, dns = null }: WindowAgentOptions = {},
): Promise<WindowAgent> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-window-'));
  const [data, disk, quarantineFolder] = ['data', 'disk', 'kept'].map((name) => join(folder, name)) as [string, string, string];
  await mkdir(data, { mode: 0o700 });
  for (const [path, content] of Object.entries(diskFiles ?? {})) {
    await mkdir(dirname(join(disk, path)), { recursive: true });
    await writeFile(join(disk, path), content, 'latin1');
  }
  const [output, opened]: [string[], string[]] = [[], []];
  const settings: AgentSettings = {
    ...{ server: url, data, disk, quarantineFolder: diskFiles ? quarantineFolder : null, free, loopback_port: port, windows, dns },
  };
  const started = () =>
    startProcess(settings, { onOpened: (address) => opened.push(address), onOutput: (sentence) => output.push(sentence) });
  let running = await started();
  const ask = <Result>(message: ToAgent) => running.ask(message) as Promise<Result>;
  return {
    ...{ output, opened, data, disk },
    async open(page) {
      const openedBefore = opened.length;
      await ask({ kind: 'show' });
      await expect.poll(() => opened.length, { intervals: [20] }).toBeGreaterThan(openedBefore);
      await page.goto(opened.at(-1) ?? '');
    },
    passes: (ms, { wall } = { wall: true }) => ask({ kind: 'passes', ms, wall }),
    mayLeave: (typed) => ask({ kind: 'may_leave', typed }),
    kill: () => running.end(() => running.child.kill('SIGKILL')),
    async restart() {
      running = await started();
    },
    windows: {
      start: (program, how = {}) =>
        ask({ kind: 'start', path: program.path ?? `C:\\Users\\Ann\\Downloads\\${program.name}`, program, how }),
      isSuspended: (pid) => ask({ kind: 'is_suspended', pid }),
      openDoor: (change) => ask({ kind: 'open_door', change }),
      doors: () => ask({ kind: 'door_state' }),
      isRunning: (pid) => ask({ kind: 'is_running', pid }),
      browserPolicies: () => ask({ kind: 'browser_policies' }),
    },
    async close() {
      await running.end(() => running.child.send({ kind: 'close' } satisfies ToAgent));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface AgentProcess {
  child: ChildProcess;
  ask(message: ToAgent): Promise<unknown>;
  /** Resolves when the process has ended. */
  end(how: () => void): Promise<void>;
}

async function startProcess(
  settings: AgentSettings,
  callbacks: { onOpened(url: string): void; onOutput(sentence: string): void },
): Promise<AgentProcess> {
  const script = join(root, 'e2e', 'lib', 'agent-process.ts');
  const child = fork(script, [JSON.stringify(settings)], { execArgv: [], env: { PATH: process.env.PATH } });
  let ready = false;
  const waiting: ((result: unknown) => void)[] = [];
  child.on('message', (message: FromAgent) => {
    if (message.kind === 'opened') callbacks.onOpened(message.url);
    else if (message.kind === 'output') callbacks.onOutput(message.sentence);
    else if (message.kind === 'did') waiting.shift()?.(message.result);
    else ready = true;
  });
  await expect.poll(() => ready || child.exitCode !== null, { message: 'the agent to start' }).toBe(true);
  return {
    child,
    ask: (message) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        child.send(message);
      }),
    async end(how) {
      if (child.exitCode !== null || child.signalCode !== null || !child.connected) return;
      const exitPromise = once(child, 'exit');
      how();
      await exitPromise;
    },
  };
}
