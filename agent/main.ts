import { lookup } from 'node:dns/promises';
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
import { isUninstall, uninstallCommand } from './uninstall.ts';
import { words } from './window/words.ts';

const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

/** Picks the operating system, starts, and stops on a signal: the only place that knows process.env, signals and exit (on Windows `main-windows.ts`). */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (process.platform === 'win32') return mainWindows(args, process.env, { begin, linkAtStart, leave });
  const options = isUninstall(args) ? null : readOptions(args);
  if (process.platform !== 'linux') throw new Error('Porchlight protects Linux and Windows so far. macOS comes next.');
  const { env } = process;
  const data = env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share');
  const folder = resolve(env.AGENT_DATA_DIR ?? join(data, 'porchlight-agent'));
  const leaving = await leave(args, { folder, server: env.PORCHLIGHT_SERVER, say, restore: async () => {} });
  if (leaving !== null) process.exit(leaving);
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

/** The PIN on the command line; every program can read what stands there, so installers send it in. */
function pinIn(args: string[]): string | undefined {
  const at = args.indexOf('--pin');
  return at < 0 ? undefined : args[at + 1];
}

async function firstLine(input: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of input) {
    text += part.toString('utf8');
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0] ?? '';
}

/** An agent that was started by hand changes nothing of how names are found. */
const findsOne = (names: string[]) =>
  Promise.any(names.map((name) => lookup(name))).then(
    () => true,
    () => false,
  );

export interface BeginParts extends Pick<AgentParts, 'os' | 'free' | 'loopback_port'> {
  folder: string;
  /** The local one when left out. */
  server: string | undefined;
  say: (sentence: string) => void;
}

export interface LeaveParts extends Pick<BeginParts, 'folder' | 'server' | 'say'> {
  restore: () => Promise<void>;
}

const addressOf = (server: string | undefined) => (server ?? 'http://localhost:4380').replace(/\/+$/, '');

/** What uninstallers ask for: the code to exit with, or null when it was not asked for. `restore`: names, as they were before us. */
async function leave(args: string[], { folder, server, say, restore }: LeaveParts): Promise<number | null> {
  return uninstallCommand(args, async () => ({
    ...{ server: addressOf(server), moment: momentNow, log: say },
    store: await openStore(await privateFolder(folder)),
    pin: async () => pinIn(args) ?? (await firstLine(process.stdin)),
    async restoreNames(names) {
      await restore();
      return findsOne(names);
    },
  }));
}

/** Starts the agent on this folder. Throws a sentence when another one runs on it. */
async function begin({ folder, server, say, ...more }: BeginParts): Promise<Agent> {
  await privateFolder(folder);
  const lock = await lockFolder(folder);
  if (!lock) throw new Error(`Another Porchlight agent already runs on ${folder}. Stop it first, or set AGENT_DATA_DIR to another folder.`);
  return startAgent({
    ...more,
    store: await openStore(folder, (name) => say(words.terminal.damaged(name))),
    server: addressOf(server),
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
