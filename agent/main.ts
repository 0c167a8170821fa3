import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@porchlight/contract/limits.ts';
import root from '../package.json' with { type: 'json' };
import { type Agent, type AgentParts, startAgent } from './agent.ts';
import { momentNow } from './lib/moment.ts';
import { mainWindows } from './main-windows.ts';
import { type Options, readOptions } from './options.ts';
import { linux } from './os/linux/linux.ts';
import { privateFolder } from './state/files.ts';
import { lockFolder } from './state/lock.ts';
import { openStore } from './state/store.ts';
import { Refused } from './sync/call.ts';
import { words } from './window/words.ts';

const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

/** Picks the operating system, starts, and stops on a signal: the only place that knows process.env, signals and exit (on Windows `main-windows.ts`). */
async function main(): Promise<void> {
  if (process.platform === 'win32') return mainWindows(process.argv.slice(2), process.env, { begin, linkAtStart });
  const options = readOptions(process.argv.slice(2));
  if (process.platform !== 'linux') throw new Error('Porchlight protects Linux and Windows so far. macOS comes next.');
  const { env } = process;
  const data = env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share');
  const folder = resolve(env.AGENT_DATA_DIR ?? join(data, 'porchlight-agent'));
  const os = linux(env);
  const agent = await begin({
    ...{ os, folder, say },
    server: env.PORCHLIGHT_SERVER,
    free: options !== null && 'free' in options,
    loopback_port: Number(env.AGENT_LOOPBACK_PORT ?? limits.loopback_port),
  });
  const stopNow = () =>
    void os
      .shuttingDown()
      .then((down) => agent.close(down ? 'shutdown' : 'stopped'))
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stopNow);
  // Started by `npm start`, and that has ended without a word.
  process.once('disconnect', stopNow);
  await linkAtStart(agent, options, say);
}

export interface BeginParts extends Pick<AgentParts, 'os' | 'free' | 'loopback_port'> {
  folder: string;
  /** The local one when left out. */
  server: string | undefined;
  say: (sentence: string) => void;
}

/** Starts the agent on this folder. Throws a sentence when another one runs on it. */
async function begin({ folder, server, say, ...more }: BeginParts): Promise<Agent> {
  await privateFolder(folder);
  const lock = await lockFolder(folder);
  if (!lock) throw new Error(`Another Porchlight agent already runs on ${folder}. Stop it first, or set AGENT_DATA_DIR to another folder.`);
  return startAgent({
    ...more,
    store: await openStore(folder, (name) => say(words.terminal.damaged(name))),
    server: (server ?? 'http://localhost:4380').replace(/\/+$/, ''),
    version: root.version,
    now: () => new Date(),
    moment: momentNow,
    random: Math.random,
    log: say,
  });
}

/** The code or link of the command line; a server that does not answer yet is waited for, a refusal is final. */
async function linkAtStart(agent: Agent, options: Options, say: (sentence: string) => void): Promise<void> {
  if (!options || !('code' in options || 'link' in options)) return;
  for (let told = false; ; await sleep(1000)) {
    try {
      await ('code' in options ? agent.link.byCode(options.code) : agent.link.byLink(options.link));
      return;
    } catch (err) {
      if (!mayPass(err)) {
        if (!('free' in options)) throw err;
        // Whoever has just installed it is protected all the same.
        say(`${err instanceof Error ? err.message : String(err)} The free plan protects this computer meanwhile.`);
        return;
      }
      if (!told) say('The server cannot be reached yet. Trying again until it can.');
      told = true;
    }
  }
}

/** No answer, no answer in time, or one that says that the server is in trouble: that may pass. */
function mayPass(err: unknown): boolean {
  if (err instanceof Refused) return err.status >= 500 || err.status === 429;
  return err instanceof TypeError || (err instanceof Error && err.name === 'TimeoutError');
}

main().catch((err: unknown) => {
  process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
  process.exit(1);
});
