import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@porchlight/contract/limits.ts';
import { type Agent, startAgent } from './agent.ts';
import { codeInFile, forgetCode } from './code-file.ts';
import { momentNow } from './lib/moment.ts';
import { type Options, readOptions } from './options.ts';
import { linux } from './os/linux/linux.ts';
import type { Os } from './os/port.ts';
import { privateFolder } from './state/files.ts';
import { noteRun } from './state/last-run.ts';
import { lockFolder } from './state/lock.ts';
import { openStore } from './state/store.ts';
import { startSupervisor, supervise, supervised, withoutKeepRunning } from './supervisor.ts';
import { Refused } from './sync/call.ts';
import { isUninstall, uninstallCommand } from './uninstall.ts';
import { words } from './window/words.ts';

const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

/** Picks the operating system, starts, and stops on a signal: the only place that knows process.env, signals and exit. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const supervisedArgs = withoutKeepRunning(args);
  if (supervisedArgs) return keepRunning(supervisedArgs);
  const options = isUninstall(args) ? null : readOptions(args);
  if (process.platform !== 'linux') throw new Error('Porchlight protects Linux so far. Windows and macOS come next.');
  const { env } = process;
  const data = env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share');
  const folder = await privateFolder(resolve(env.AGENT_DATA_DIR ?? join(data, 'porchlight-agent')));
  const server = (env.PORCHLIGHT_SERVER ?? 'http://localhost:4380').replace(/\/+$/, '');
  const leaving = await uninstallCommand(args, async () => ({
    ...{ server, moment: momentNow, log: say },
    store: await openStore(folder),
    pin: async () => pinIn(args) ?? (await firstLine(process.stdin)),
    restoreNames: findsOne,
  }));
  if (leaving !== null) process.exit(leaving);
  const lock = await lockFolder(folder);
  if (!lock) throw new Error(`Another Porchlight agent already runs on ${folder}. Stop it first, or set AGENT_DATA_DIR to another folder.`);

  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  const run = await noteRun(folder, momentNow().boot);
  const os = sayingOnce(linux(env), run.died ? words.terminal.restarted : null);
  const store = await openStore(folder, (name) => say(words.terminal.damaged(name)));
  const starting = startAgent({
    os,
    store,
    server,
    version,
    free: options !== null && 'free' in options,
    loopback_port: Number(env.AGENT_LOOPBACK_PORT ?? limits.loopback_port),
    now: () => new Date(),
    moment: momentNow,
    random: Math.random,
    log: say,
  });
  // Also while it starts.
  const stopNow = () =>
    void Promise.all([starting, os.shuttingDown()])
      .then(([agent, down]) => agent.close(down ? 'shutdown' : 'stopped'))
      .then(run.over)
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stopNow);
  // Whoever started us has ended without a word: `npm start`, with which we end, or what looks after us, without which we do not go on either.
  process.once('disconnect', () => {
    if (!env[supervised]) return stopNow();
    void starting
      .then((agent) => agent.close())
      .finally(() => startSupervisor([...ownCommand(), ...args], env))
      .finally(() => process.exit(0));
  });
  const agent = await starting;
  // A code is good once: whoever was linked before is not linked again when it is started again.
  const linked = (await store.identity()) !== null;
  const left = env.AGENT_CODE_FILE && !linked ? await codeInFile(env.AGENT_CODE_FILE) : null;
  if (left) await linkAtStart(agent, { code: left, free: true });
  else if (!linked || env[supervised] !== 'again') await linkAtStart(agent, options);
  if (env.AGENT_CODE_FILE) await forgetCode(env.AGENT_CODE_FILE);
  process.send?.('ready');
}

/** What starts this program; as a single executable it stands where the script would. */
function ownCommand(): string[] {
  return [process.execPath, ...process.execArgv, ...process.argv.slice(1, 2).filter((script) => script !== process.execPath)];
}

/** Looks after an agent that is started with these arguments, and ends with it. */
async function keepRunning(args: string[]): Promise<void> {
  const supervisor = supervise({ command: ownCommand(), args, env: process.env, say });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => supervisor.signal(signal));
  process.exit(await supervisor.over);
}

/** How long it is told that the agent had died: long enough for a check-in to carry it. Milliseconds. */
const toldFor = 60 * 60_000;

/** The system, with one sentence more about what is missing for a while. */
function sayingOnce(os: Os, sentence: string | null): Os {
  const until = momentNow().up + toldFor;
  return { ...os, limitations: () => [...os.limitations(), ...(sentence && momentNow().up < until ? [sentence] : [])] };
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

/** The code or link of the command line; a server that does not answer yet is waited for, a refusal is final. */
async function linkAtStart(agent: Agent, options: Options): Promise<void> {
  if (!options || !('code' in options || 'link' in options)) return;
  for (let told = false; ; await sleep(1000)) {
    try {
      await ('code' in options ? agent.link.byCode(options.code, options.pin) : agent.link.byLink(options.link, options.pin));
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
