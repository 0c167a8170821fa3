import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { win32 } from 'node:path';
import { limits } from '@porchlight/contract/limits.ts';
import type { Agent } from './agent.ts';
import type { BeginParts, LeaveParts } from './main.ts';
import { type Options, readOptions } from './options.ts';
import { runCommand } from './os/windows/commands.ts';
import { loadDesktop } from './os/windows/native/desktop.ts';
import { loadServices } from './os/windows/native/services.ts';
import { ownCommand } from './os/windows/own-command.ts';
import { runAsService } from './os/windows/services/run-as-service.ts';
import { installed } from './os/windows/settings.ts';
import { type Bridge, openBridge } from './os/windows/window/bridge.ts';
import { openPage } from './os/windows/window/open-page.ts';
import { windows } from './os/windows/windows.ts';
import { words } from './os/windows/words.ts';

type Env = NodeJS.ProcessEnv;

/** What `main.ts` does on every system. */
export interface Common {
  begin(parts: BeginParts): Promise<Agent>;
  /** Null when it was not asked for. */
  leave(args: string[], parts: LeaveParts): Promise<number | null>;
  linkAtStart(agent: Agent, options: Options, say: (sentence: string) => void): Promise<void>;
}

/** A log that is never longer than this is kept twice. Bytes. */
const longestLog = 1 << 20;

/** On Windows: the service, what runs for the person, a small command, or the agent started by hand. */
export async function mainWindows(args: string[], env: Env, common: Common): Promise<void> {
  const [first] = args;
  if (first === '--service') return service(env, common);
  const code = (await leaving(args, env, common)) ?? (await runCommand(args, env));
  if (code !== null) process.exit(code);
  if (first === '--window') return;
  return byHand(args, env, common);
}

/** Of the service, which may run meanwhile. */
async function leaving(args: string[], env: Env, { leave }: Common): Promise<number | null> {
  const { home, server } = placeOf(env);
  const restore = () =>
    windows({ calls: loadServices(), service: true, instead: ownCommand('--blocked'), openWindow: () => false }).restore();
  return leave(args, { folder: win32.join(home, 'data'), server, say: logTo(home), restore });
}

function placeOf(env: Env) {
  const settings = installed();
  return { ...settings, home: settings.home ?? win32.join(env.ProgramData ?? 'C:\\ProgramData', 'Porchlight') };
}

async function byHand(args: string[], env: Env, { begin, linkAtStart }: Common): Promise<void> {
  const options = readOptions(args);
  const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);
  const { os } = windows({ calls: loadServices(), service: false, instead: '', openWindow: (url) => openPage(url, env) });
  const folder = win32.resolve(env.AGENT_DATA_DIR ?? win32.join(env.LOCALAPPDATA ?? '.', 'Porchlight'));
  const port = Number(env.AGENT_LOOPBACK_PORT ?? limits.loopback_port);
  const free = options !== null && 'free' in options;
  const agent = await begin({ os, folder, say, server: env.PORCHLIGHT_SERVER, free, loopback_port: port });
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGBREAK'] as const) {
    process.once(signal, () => void agent.close('stopped').finally(() => process.exit(0)));
  }
  await linkAtStart(agent, options, say);
}

/** In session 0, before anyone logs in. All that it says goes to a file. */
async function service(env: Env, { begin, linkAtStart }: Common): Promise<void> {
  const settings = placeOf(env);
  const { home } = settings;
  const say = logTo(home);
  let bridge: Bridge | null = null;
  let agent: Agent | null = null;
  const [desktop, calls] = [loadDesktop(), loadServices()];
  const { os, blocked, restore } = windows({
    calls,
    service: true,
    instead: ownCommand('--blocked'),
    openWindow: (url) => bridge?.show(url) ?? false,
  });
  const start = async () => {
    // What one that was killed may have left behind.
    await restore();
    const options = settings.options(readOptions);
    agent = await begin({
      ...{ os, say, server: settings.server },
      folder: win32.join(home, 'data'),
      free: options !== null && 'free' in options,
      loopback_port: settings.port ?? limits.loopback_port,
    });
    const started = agent;
    bridge = await openBridge({
      open: started.showWindow,
      blocked,
      atScreen: desktop.sessionAtScreen,
    });
    say(words.started);
    void linkAtStart(started, options, say).then(settings.used, (err: Error) => {
      settings.used();
      say(err.message);
    });
  };
  const over = await runAsService(
    calls,
    () =>
      start().catch((err: Error) => {
        say(words.failed(err.message));
        throw err;
      }),
    async (why) => {
      await bridge?.close();
      await agent?.close(why);
      await restore();
    },
  );
  process.exit(over ? 0 : 1);
}

function logTo(folder: string): (sentence: string) => void {
  const path = win32.join(folder, 'agent.log');
  return (sentence) => {
    mkdirSync(folder, { recursive: true });
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size > longestLog) renameSync(path, `${path}.old`);
    appendFileSync(path, `${new Date().toISOString()} ${sentence}\n`);
  };
}
