import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { root } from '@porchlight/dev/root.ts';
import type { World } from '@porchlight/dev/world.ts';
import type { FromAgent, ToAgent } from './agent-process.ts';

/** A real agent on this computer, with a clock that a test can move, and a screen that is the test's browser. */
export interface WindowAgent {
  /** What it said to the terminal. */
  said: string[];
  /** The addresses it opened, oldest first. */
  opened: string[];
  /** Where it keeps its state. */
  data: string;
  /** What it takes for the whole disk, where it looks for what lies there already. */
  disk: string;
  /** Opens the window as the sign beside the clock does. */
  open(page: Page): Promise<void>;
  /** Time goes by, for the clock and for what nobody can set. Milliseconds. */
  passes(ms: number): void;
  close(): Promise<void>;
}

export interface WindowAgentOptions {
  free?: boolean;
  /** What lies on the computer, by path; looked at and put away only when it is given. */
  lies?: Record<string, string>;
  /** Where dashboards and links find it; only one at a time can be found there. */
  port?: number;
}

export async function windowAgent(
  { url }: Pick<World, 'url'>,
  { free = false, lies, port = 0 }: WindowAgentOptions = {},
): Promise<WindowAgent> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-window-'));
  const [data, disk, kept] = ['data', 'disk', 'kept'].map((name) => join(folder, name)) as [string, string, string];
  await mkdir(data, { mode: 0o700 });
  for (const [path, content] of Object.entries(lies ?? {})) {
    await mkdir(dirname(join(disk, path)), { recursive: true });
    await writeFile(join(disk, path), content, 'latin1');
  }
  const [said, opened]: [string[], string[]] = [[], []];
  const child = fork(join(root, 'e2e', 'lib', 'agent-process.ts'), [url, data, disk, lies ? kept : '', free ? 'free' : '', String(port)], {
    execArgv: [],
    env: { PATH: process.env.PATH },
  });
  let ready = false;
  child.on('message', (message: FromAgent) => {
    if (message.kind === 'opened') opened.push(message.url);
    else if (message.kind === 'said') said.push(message.sentence);
    else ready = true;
  });
  const tell = (message: ToAgent) => void child.send(message);
  await expect.poll(() => ready || child.exitCode !== null, { message: 'the agent to start' }).toBe(true);
  return {
    ...{ said, opened, data, disk },
    async open(page) {
      const before = opened.length;
      tell({ kind: 'show' });
      await expect.poll(() => opened.length, { intervals: [20] }).toBeGreaterThan(before);
      await page.goto(opened.at(-1) ?? '');
    },
    passes: (ms) => tell({ kind: 'passes', ms }),
    async close() {
      const ended = child.exitCode === null && child.connected ? once(child, 'exit') : null;
      if (ended) tell({ kind: 'close' });
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
