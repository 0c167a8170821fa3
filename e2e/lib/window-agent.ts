import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { type Agent, startAgent } from '@porchlight/agent/agent.ts';
import { linux } from '@porchlight/agent/os/linux/linux.ts';
import { linuxListing } from '@porchlight/agent/os/linux/listing/listing.ts';
import { openStore } from '@porchlight/agent/state/store.ts';
import type { World } from '@porchlight/dev/world.ts';

/** A real agent on this computer, with a clock that a test can move, and a screen that is the test's browser. */
export interface WindowAgent {
  agent: Agent;
  /** What it said to the terminal. */
  said: string[];
  /** The addresses it opened, oldest first. */
  opened: string[];
  /** Where what lies on the computer is looked for. */
  root: string;
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
}

/** Everything of it is real but the clock, the screen, and which folder is taken for the whole disk. */
export async function windowAgent({ url }: Pick<World, 'url'>, { free = false, lies }: WindowAgentOptions = {}): Promise<WindowAgent> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-window-'));
  const root = join(folder, 'disk');
  for (const [path, content] of Object.entries(lies ?? {})) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content, 'latin1');
  }
  const [said, opened]: [string[], string[]] = [[], []];
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const os = await linux({ PATH: process.env.PATH ?? '' });
  const agent = await startAgent({
    os: { ...os, listing: () => linuxListing(root, 0), openWindow: (address) => opened.push(address) > 0 },
    ...{ store: await openStore(join(folder, 'data')), server: url, version: '1.0.0', free },
    keep: lies ? join(folder, 'kept') : null,
    loopback_port: 0,
    sites: null,
    ...{ now, moment: () => ({ wall: now().getTime(), up: performance.now() + ahead, boot: 'this one' }) },
    random: Math.random,
    log: (sentence) => void said.push(sentence),
  });
  return {
    ...{ agent, said, opened, root },
    async open(page) {
      agent.showWindow();
      await page.goto(opened.at(-1) ?? '');
    },
    passes: (ms) => void (ahead += ms),
    async close() {
      await agent.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
