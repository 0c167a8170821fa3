import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@porchlight/contract/limits.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import root from '../package.json' with { type: 'json' };
import { type Agent, startAgent } from './agent.ts';
import { readEnrolFile, removeEnrolFile } from './enrol-file.ts';
import { momentNow } from './lib/moment.ts';
import { operatorIn } from './lib/operator.ts';
import { release } from './lib/release.ts';
import { beginLife, untilReplaced } from './life.ts';
import { type Options, readOptions } from './options.ts';
import type { Os } from './os/port.ts';
import { privateFolder } from './state/files.ts';
import { openStore } from './state/store.ts';
import { Refused } from './sync/call.ts';
import { keepUpToDate } from './up-to-date.ts';
import { asSuccessor } from './update/as-successor.ts';
import { words } from './window/words.ts';

const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

/** Picks the operating system, starts, and stops on a signal: the only place that knows process.env, signals and exit. */
async function main(): Promise<void> {
  const given = readOptions(process.argv.slice(2));
  const { env } = process;
  const os = await systemHere(env);
  const data = env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share');
  const folder = await privateFolder(resolve(env.AGENT_DATA_DIR ?? join(data, 'porchlight-agent')));
  const installed = given !== null && 'installed' in given;
  const options = installed ? await readEnrolFile(folder) : given;
  // Beside a program that was installed lies whose it is (P3.2).
  const operator =
    release && (await operatorIn(dirname(process.execPath), (document, payload) => openDocument(document, release?.key ?? '', payload)));
  const server = (env.PORCHLIGHT_SERVER ?? operator?.public_url ?? 'http://localhost:4380').replace(/\/+$/, '');
  const store = await openStore(folder, (name) => say(words.terminal.damaged(name)));
  const version = release?.version ?? root.version;

  const successor = asSuccessor(process);
  const life = await beginLife({
    folder,
    installed,
    successor,
    start: async () => {
      if (operator && !(await store.keys())) await store.pinKeys(operator);
      return startAgent({
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
    },
  });
  if (!life) throw new Error(`Another Porchlight agent already runs on ${folder}. Stop it first, or set AGENT_DATA_DIR to another folder.`);

  const ending = new AbortController();
  const leave = () => process.exit(0);
  const stopNow = () => {
    ending.abort();
    void os
      .shuttingDown()
      .then((down) => life.agent().close(down ? 'shutdown' : 'stopped'))
      .then(leave, () => process.exit(1));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stopNow);
  if (successor)
    void untilReplaced(folder, life, ending.signal)
      .then(() => life.agent().close())
      .then(leave);
  // Started by `npm start`, and that has ended without a word.
  else process.once('disconnect', stopNow);
  if (release)
    keepUpToDate({ release, store, server, life, args: process.argv.slice(2), env, execPath: process.execPath, log: say, leave });
  await linkAtStart(life.agent(), options);
  if (installed) await removeEnrolFile(folder);
}

/** The system that this computer runs. Each is loaded only where it is; a bundle for another one does not have it. */
async function systemHere(env: NodeJS.ProcessEnv): Promise<Os> {
  if (process.platform === 'linux') return (await import('./os/linux/linux.ts')).linux(env);
  if (process.platform === 'darwin') return (await import('./os/macos/here.ts')).macHere();
  throw new Error('Porchlight protects Linux and macOS so far. Windows comes next.');
}

/** The code or link of the command line; a server that does not answer yet is waited for, a refusal is final. */
async function linkAtStart(agent: Agent, options: Options): Promise<void> {
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
