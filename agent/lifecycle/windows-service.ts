import { win32 } from 'node:path';
import { limits } from '@porchlight/contract/limits.ts';
import { dnsFilterPlan } from '../cli/dns-plan.ts';
import { readOptions, wantsFree } from '../cli/options.ts';
import { bootId } from '../os/windows/boot-name.ts';
import { untilHandedOver } from '../os/windows/deny-starts.ts';
import { logTo } from '../os/windows/log.ts';
import { messages } from '../os/windows/messages.ts';
import { loadDesktop } from '../os/windows/native/desktop.ts';
import { loadPipe } from '../os/windows/native/pipe.ts';
import { loadSecurity } from '../os/windows/native/security.ts';
import { loadServices, type ServiceCalls } from '../os/windows/native/services.ts';
import { ownCommand } from '../os/windows/own-command.ts';
import { secureServiceFolder } from '../os/windows/own-folder-here.ts';
import { ownServiceHere } from '../os/windows/own-service-here.ts';
import { type PowerEvents, powerEvents } from '../os/windows/services/power.ts';
import { runAsService, serviceName } from '../os/windows/services/run-as-service.ts';
import { services } from '../os/windows/services/services.ts';
import { settingsWithHome } from '../os/windows/settings.ts';
import { openBridge } from '../os/windows/window/bridge.ts';
import { bridges } from '../os/windows/window/bridged.ts';
import { windows } from '../os/windows/windows.ts';
import type { Log } from '../ports.ts';
import { privateFolder } from '../state/files.ts';
import { openStore } from '../state/store.ts';
import { messages as common } from '../ui/messages/messages.ts';
import { linkAtStart } from './link-at-start.ts';
import { runHere, startHere } from './run.ts';
import { configuredServer } from './server-url.ts';
import type { TakeoverDeps } from './takeover.ts';
import { asSuccessor } from './update/as-successor.ts';

type Env = NodeJS.ProcessEnv;

/** Milliseconds between requests of a successor that Windows start the service, which then replaces the successor. */
const START_MS = 1000;

/**
 * The service in session 0, which logs to a file. After an update this program also runs as a successor until Windows has started the new
 * service.
 */
export async function windowsService(env: Env): Promise<void> {
  const { home } = settingsWithHome(env);
  // Done before any use of the folder, because another user may have created it.
  const moveResult = secureServiceFolder(home);
  const log = logTo(home);
  if (moveResult.moved.length) log(messages.movedAside(moveResult.moved));
  if (moveResult.left.length) log(messages.leftThere(moveResult.left));
  const calls = loadServices();
  if (!ownServiceHere(calls).secure()) log(messages.notSecured);
  const successor = asSuccessor(process);
  const power = powerEvents();
  const startProtection = (leave: () => void) =>
    protectComputer({ env, calls, log, successor, power: successor ? null : power, leave }).catch((err: Error) => {
      log(messages.failed(err.message));
      throw err;
    });
  if (successor) {
    await startProtection(() => process.exit(0)).catch(() => process.exit(1));
    log(messages.tookOver);
    const managed = services(calls);
    // Windows may also restart the service itself, because it did not stop it; the first start wins.
    setInterval(() => managed.start(serviceName), START_MS);
    return;
  }
  let running: ReturnType<typeof startProtection> | null = null;
  const stoppedCleanly = await runAsService(
    calls,
    async (leave) => {
      running = startProtection(leave);
      await running;
      log(messages.started);
    },
    async (why) => (await running)?.end(why),
    power.onEvent,
  );
  process.exit(stoppedCleanly ? 0 : 1);
}

interface ProtectDeps {
  env: Env;
  calls: ServiceCalls;
  log: Log;
  successor: TakeoverDeps['successor'];
  /** Power events, for the service only: Windows reports sleep to no other process. */
  power: PowerEvents | null;
  leave: () => void;
}

async function protectComputer({ env, calls, log, successor, power, leave }: ProtectDeps) {
  const settings = settingsWithHome(env);
  const folder = await privateFolder(win32.join(settings.home, 'data'));
  const store = await openStore(folder, (name) => log(common.terminal.damaged(name)), win32.join(settings.home, 'link'));
  const { operator, server } = await configuredServer(process.execPath, settings.server);
  const options = settings.options(readOptions);
  const desktop = loadDesktop();
  const [pipe, security] = [loadPipe(), loadSecurity()];
  const allowUsers = (path: string) => pipe.allowUsers(path, security);
  const bridge = bridges();
  const { os, blocked, restore, handOver } = windows({
    ...{ calls, service: true, deniedCommand: ownCommand('--blocked'), power, log },
    openWindow: bridge.show,
  });

  const running = runHere({
    ...{ folder, os, store, server, successor, restore, args: ['--service'], env, execPath: process.execPath, log, leave },
    ...{ boot: bootId(), installed: true },
    async start(osWithNotice) {
      const denials = untilHandedOver((names) => os.denyStarts?.(names));
      const agent = await startHere({
        ...{
          os: { ...osWithNotice, denyStarts: denials.deny },
          folder,
          store,
          server,
          operator,
          log,
        },
        loopback_port: settings.port ?? limits.loopback_port,
        freeAgent: wantsFree(options),
        quarantineFolder: win32.join(settings.home, 'kept'),
        sites: dnsFilterPlan({ rest: [], system: true, restore: false, listen: null, upstream: null }, process, log, {
          ...{ system: 'on', isAdministrator: true, command: '' },
        }),
        installed: true,
      });
      const agentBridge = await openBridge({
        open: agent.showWindow,
        help: agent.needHelp,
        blocked,
        atScreen: desktop.sessionAtScreen,
        allowUsers,
      }).catch((err: Error) => {
        log(messages.noBridge(err.message));
        return null;
      });
      return bridge.with(agent, agentBridge, () => {
        denials.handOver();
        handOver();
      });
    },
  });
  void linkAtStart(await running.started, options, log).then(settings.used, (err: Error) => {
    settings.used();
    log(err.message);
  });
  return running;
}
