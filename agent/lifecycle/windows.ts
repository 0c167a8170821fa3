import { win32 } from 'node:path';
import { limits } from '@porchlight/contract/limits.ts';
import type { Agent } from '../agent.ts';
import { dnsOptions } from '../cli/dns-options.ts';
import { dnsFilterPlan } from '../cli/dns-plan.ts';
import { help } from '../cli/help.ts';
import { leaveCommand } from '../cli/leave.ts';
import { readOptions, wantsFree } from '../cli/options.ts';
import { readPinInput } from '../cli/pin-input.ts';
import { uninstallCommand } from '../cli/uninstall.ts';
import { dnsMessages } from '../dns-filter/messages.ts';
import { restoreNames } from '../dns-filter/restore.ts';
import { readSystemClock } from '../lib/clock.ts';
import { runCommand } from '../os/windows/commands.ts';
import { logTo } from '../os/windows/log.ts';
import { loadServices } from '../os/windows/native/services.ts';
import { ownCommand } from '../os/windows/own-command.ts';
import { placeOf } from '../os/windows/settings.ts';
import { openPage } from '../os/windows/window/open-page.ts';
import { windows } from '../os/windows/windows.ts';
import { privateFolder } from '../state/files.ts';
import { lockFolder } from '../state/lock.ts';
import { openStore } from '../state/store.ts';
import { messages as common } from '../ui/messages/messages.ts';
import { linkAtStart } from './link-at-start.ts';
import { alreadyRunning, type StartDeps, startHere } from './run.ts';
import { configuredServer } from './server-url.ts';
import { windowsService } from './windows-service.ts';

type Env = NodeJS.ProcessEnv;

/** On Windows: the service, the user's tray, a command, or the agent started by hand. */
export async function mainWindows(args: string[], env: Env): Promise<void> {
  const [first] = args;
  if (first === '--service') return windowsService(env);
  const print = (sentence: string) => void process.stdout.write(`${sentence}\n`);
  if (first === '--help' || first === '-h') return print(help);
  const ofService = async () => ({
    store: await openStore(await privateFolder(win32.join(placeOf(env).home, 'data'))),
    ...{ now: () => new Date(), log: print },
  });
  const left = await leaveCommand(args, ofService, print);
  if (left !== null) process.exit(left);
  const code = (await leaving(args, env)) ?? (await runCommand(args, env));
  if (code !== null) process.exit(code);
  if (first === '--window') return;
  return byHand(args, env);
}

/** Commands of the service's folder; the service may run meanwhile. */
async function leaving(args: string[], env: Env): Promise<number | null> {
  const { home, server: told } = placeOf(env);
  return uninstallCommand(args, async () => ({
    ...{ readClock: readSystemClock, log: logTo(home), server: (await configuredServer(process.execPath, told)).server },
    store: await openStore(await privateFolder(win32.join(home, 'data'))),
    pin: () => readPinInput(args, process.stdin),
    async restoreNames(host) {
      const { os, restore } = windows({ calls: loadServices(), service: true, instead: ownCommand('--blocked'), openWindow: () => false });
      await restore('removed');
      return restoreNames(os, host);
    },
  }));
}

/** Throws a sentence when another agent has the folder. */
async function beginOn(folder: string, told: string | undefined, parts: Omit<StartDeps, 'store' | 'server' | 'operator'>): Promise<Agent> {
  await privateFolder(folder);
  if (!(await lockFolder(folder))) throw alreadyRunning(folder);
  const store = await openStore(folder, (name) => parts.log(common.terminal.damaged(name)));
  return startHere({ ...parts, ...(await configuredServer(process.execPath, told)), store });
}

async function byHand(args: string[], env: Env): Promise<void> {
  const sites = dnsOptions(args);
  const options = readOptions(sites.rest);
  const print = (sentence: string) => void process.stdout.write(`${sentence}\n`);
  const { os } = windows({ calls: loadServices(), service: false, instead: '', openWindow: (url) => openPage(url, env) });
  if (sites.restore) {
    const { server } = await configuredServer(process.execPath, env.PORCHLIGHT_SERVER);
    return print(dnsMessages.restored(await restoreNames(os, new URL(server).hostname)));
  }
  const agent = await beginOn(
    win32.resolve(env.AGENT_DATA_DIR ?? win32.join(env.LOCALAPPDATA ?? '.', 'Porchlight')),
    env.PORCHLIGHT_SERVER,
    {
      os,
      log: print,
      loopback_port: Number(env.AGENT_LOOPBACK_PORT ?? limits.loopback_port),
      free: wantsFree(options),
      keep: null,
      sites: dnsFilterPlan(sites, process, print),
    },
  );
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGBREAK'] as const) {
    process.once(signal, () => void agent.close('stopped').finally(() => process.exit(0)));
  }
  await linkAtStart(agent, options, print);
}
