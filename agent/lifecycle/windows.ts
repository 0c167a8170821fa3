import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import { limits } from '@porchlight/contract/limits.ts';
import type { Agent } from '../agent.ts';
import { noRecord, restoreBrowserPolicies } from '../browsers/restore.ts';
import { dnsOptions } from '../cli/dns-options.ts';
import { dnsFilterPlan } from '../cli/dns-plan.ts';
import { help } from '../cli/help.ts';
import { leaveCommand } from '../cli/leave.ts';
import { readOptions, wantsFree } from '../cli/options.ts';
import { readPinInput } from '../cli/pin-input.ts';
import { uninstallCommand } from '../cli/uninstall.ts';
import { dnsMessages } from '../dns-filter/messages.ts';
import { restoreDns } from '../dns-filter/restore.ts';
import { readSystemClock } from '../lib/clock.ts';
import { restoreNetwork } from '../network-isolation/restore.ts';
import { runCommand } from '../os/windows/commands.ts';
import { logTo } from '../os/windows/log.ts';
import { loadServices } from '../os/windows/native/services.ts';
import { ownCommand } from '../os/windows/own-command.ts';
import type { OwnService } from '../os/windows/own-service.ts';
import { ownServiceHere } from '../os/windows/own-service-here.ts';
import { settingsWithHome } from '../os/windows/settings.ts';
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

export async function mainWindows(args: string[], env: Env): Promise<void> {
  const [firstArgument] = args;
  if (firstArgument === '--service') return windowsService(env);
  const print = (sentence: string) => void process.stdout.write(`${sentence}\n`);
  if (firstArgument === '--help' || firstArgument === '-h') return print(help);
  const ofService = async () => ({
    store: await openStore(
      await privateFolder(win32.join(settingsWithHome(env).home, 'data')),
      undefined,
      win32.join(settingsWithHome(env).home, 'link'),
    ),
    ...{ now: () => new Date(), log: print },
  });
  const leaveExit = await leaveCommand(args, ofService, print);
  if (leaveExit !== null) process.exit(leaveExit);
  const code = (await runUninstall(args, env)) ?? (await runCommand(args, env));
  if (code !== null) process.exit(code);
  if (firstArgument === '--window') return;
  return runManually(args, env);
}

async function runUninstall(args: string[], env: Env): Promise<number | null> {
  const { home, server: serverOverride } = settingsWithHome(env);
  let loaded: (ReturnType<typeof windows> & { ownService: OwnService }) | null = null;
  // Loaded only once, because koffi type names are global.
  const system = () => {
    if (loaded) return loaded;
    const calls = loadServices();
    const ours = windows({
      ...{ calls, service: true, deniedCommand: ownCommand('--blocked'), openWindow: () => false },
      log: logTo(home),
    });
    loaded = { ...ours, ownService: ownServiceHere(calls) };
    return loaded;
  };
  return uninstallCommand(args, async () => ({
    ...{ readClock: readSystemClock, log: logTo(home), server: (await configuredServer(process.execPath, serverOverride)).server },
    store: await openStore(await privateFolder(win32.join(home, 'data')), undefined, win32.join(home, 'link')),
    pin: () => readPinInput(args, process.stdin),
    restoreNetwork: () => restoreNetwork(system().os.network()),
    async restoreDns(host) {
      const { os, restore } = system();
      await restore('removed');
      return restoreDns(os, host);
    },
    releaseService: () => void system().ownService.release(),
    restoreBrowsers: ({ browserPolicies }) => restoreBrowserPolicies(system().os.browserPolicies(), browserPolicies),
  }));
}

async function beginOn(
  folder: string,
  serverOverride: string | undefined,
  deps: Omit<StartDeps, 'folder' | 'store' | 'server' | 'operator'>,
): Promise<Agent> {
  await privateFolder(folder);
  if (!(await lockFolder(folder))) throw alreadyRunning(folder);
  const store = await openStore(folder, (name) => deps.log(common.terminal.damaged(name)));
  return startHere({ ...deps, ...(await configuredServer(process.execPath, serverOverride)), folder, store });
}

async function runManually(args: string[], env: Env): Promise<void> {
  const sites = dnsOptions(args);
  const options = readOptions(sites.rest);
  const print = (sentence: string) => void process.stdout.write(`${sentence}\n`);
  const { os, restore } = windows({ calls: loadServices(), service: false, deniedCommand: '', openWindow: (url) => openPage(url, env) });
  if (sites.restore) {
    const serviceFolder = win32.join(settingsWithHome(env).home, 'data');
    const serviceStore = existsSync(serviceFolder) ? await openStore(serviceFolder) : null;
    const record = serviceStore?.browserPolicies ?? noRecord;
    // The uninstaller asks for this once the service is stopped, which until then may have denied starts again.
    if (await serviceStore?.isUninstalling(Date.now())) await restore('removed');
    for (const sentence of await restoreNetwork(os.network())) print(sentence);
    for (const sentence of await restoreBrowserPolicies(os.browserPolicies(), record)) print(sentence);
    const { server } = await configuredServer(process.execPath, env.PORCHLIGHT_SERVER);
    return print(dnsMessages.restored(await restoreDns(os, new URL(server).hostname)));
  }
  const agent = await beginOn(
    win32.resolve(env.AGENT_DATA_DIR ?? win32.join(env.LOCALAPPDATA ?? '.', 'Porchlight')),
    env.PORCHLIGHT_SERVER,
    {
      os,
      log: print,
      loopback_port: Number(env.AGENT_LOOPBACK_PORT ?? limits.loopback_port),
      freeAgent: wantsFree(options),
      quarantineFolder: null,
      sites: dnsFilterPlan(sites, process, print, {
        ...{ system: env.AGENT_SYSTEM, isAdministrator: false },
        command: 'npm run agent -- --system',
      }),
      installed: false,
    },
  );
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGBREAK'] as const) {
    process.once(signal, () => void agent.close('stopped').finally(() => process.exit(0)));
  }
  await linkAtStart(agent, options, print);
}
