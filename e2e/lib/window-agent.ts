import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { root } from '@porchlight/dev/root.ts';
import type { World } from '@porchlight/dev/world.ts';
import type { FromAgent, ToAgent } from './agent-process.ts';

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
  /** Advances the clock and the monotonic time by milliseconds. Resolves once the agent has done so, since requests take another way to it. */
  passes(ms: number): Promise<void>;
  close(): Promise<void>;
}

export interface WindowAgentOptions {
  free?: boolean;
  /** Files on the disk, by path; without it the agent neither scans nor quarantines. */
  diskFiles?: Record<string, string>;
  /** The port for dashboards and links, free for only one agent at a time. */
  port?: number;
}

export async function windowAgent(
  { url }: Pick<World, 'url'>,
  { free = false, diskFiles, port = 0 }: WindowAgentOptions = {},
): Promise<WindowAgent> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-window-'));
  const [data, disk, quarantineFolder] = ['data', 'disk', 'kept'].map((name) => join(folder, name)) as [string, string, string];
  await mkdir(data, { mode: 0o700 });
  for (const [path, content] of Object.entries(diskFiles ?? {})) {
    await mkdir(dirname(join(disk, path)), { recursive: true });
    await writeFile(join(disk, path), content, 'latin1');
  }
  const [output, opened]: [string[], string[]] = [[], []];
  const child = fork(
    join(root, 'e2e', 'lib', 'agent-process.ts'),
    [url, data, disk, diskFiles ? quarantineFolder : '', free ? 'free' : '', String(port)],
    {
      execArgv: [],
      env: { PATH: process.env.PATH },
    },
  );
  let ready = false;
  const passing: (() => void)[] = [];
  child.on('message', (message: FromAgent) => {
    if (message.kind === 'opened') opened.push(message.url);
    else if (message.kind === 'said') output.push(message.sentence);
    else if (message.kind === 'passed') passing.shift()?.();
    else ready = true;
  });
  const send = (message: ToAgent) => void child.send(message);
  await expect.poll(() => ready || child.exitCode !== null, { message: 'the agent to start' }).toBe(true);
  return {
    ...{ output, opened, data, disk },
    async open(page) {
      const openedBefore = opened.length;
      send({ kind: 'show' });
      await expect.poll(() => opened.length, { intervals: [20] }).toBeGreaterThan(openedBefore);
      await page.goto(opened.at(-1) ?? '');
    },
    passes: (ms) =>
      new Promise((resolve) => {
        passing.push(resolve);
        send({ kind: 'passes', ms });
      }),
    async close() {
      const exitPromise = child.exitCode === null && child.connected ? once(child, 'exit') : null;
      if (exitPromise) send({ kind: 'close' });
      await exitPromise;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
