import { win32 } from 'node:path';
import { limits } from '@porchlight/contract/limits.ts';
import { dnsFilterPlan } from '../cli/dns-plan.ts';
import { readOptions, wantsFree } from '../cli/options.ts';
import { bootName } from '../os/windows/boot-name.ts';
import { untilHandedOver } from '../os/windows/deny-starts.ts';
import { logTo } from '../os/windows/log.ts';
import { messages } from '../os/windows/messages.ts';
import { loadDesktop } from '../os/windows/native/desktop.ts';
import { loadPipe } from '../os/windows/native/pipe.ts';
import { loadSecurity } from '../os/windows/native/security.ts';
import { loadServices, type ServiceCalls } from '../os/windows/native/services.ts';
import { ownCommand } from '../os/windows/own-command.ts';
import { ownFolderHere } from '../os/windows/own-folder-here.ts';
import { type PowerEvents, powerEvents } from '../os/windows/services/power.ts';
import { runAsService, serviceName } from '../os/windows/services/run-as-service.ts';
import { services } from '../os/windows/services/services.ts';
import { placeOf } from '../os/windows/settings.ts';
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

/** How often a successor asks Windows to start the service, which then takes its place. */
const START_MS = 1000;

/**
 * The service, in session 0 before anyone logs in, logs to a file. After an update it runs once more as a successor, until Windows has started the
 * new program.
 */
export async function windowsService(env: Env): Promise<void> {
  const { home } = placeOf(env);
  // Before anything in the folder is read or written: another user may have made it.
  const aside = ownFolderHere(home);
  const log = logTo(home);
  if (aside.moved.length) log(messages.movedAside(aside.moved));
  if (aside.left.length) log(messages.leftThere(aside.left));
  const calls = loadServices();
  const successor = asSuccessor(process);
  const power = powerEvents();
  const begun = (leave: () => void) =>
    protectComputer({ env, calls, log, successor, power: successor ? null : power, leave }).catch((err: Error) => {
      log(messages.failed(err.message));
      throw err;
    });
  if (successor) {
    await begun(() => process.exit(0)).catch(() => process.exit(1));
    log(messages.tookOver);
    const managed = services(calls);
    // Windows restarts the service as well, because it did not stop it; the first one wins.
    setInterval(() => managed.start(serviceName), START_MS);
    return;
  }
  let running: ReturnType<typeof begun> | null = null;
  const over = await runAsService(
    calls,
    async (leave) => {
      running = begun(leave);
      await running;
      log(messages.started);
    },
    async (why) => (await running)?.end(why),
    power.happened,
  );
  process.exit(over ? 0 : 1);
}

interface ProtectParts {
  env: Env;
  calls: ServiceCalls;
  log: Log;
  successor: TakeoverDeps['successor'];
  /** Windows reports sleep to the service alone. */
  power: PowerEvents | null;
  leave: () => void;
}

/** The agent for the whole computer. Throws a sentence when another one keeps the folder. */
async function protectComputer({ env, calls, log, successor, power, leave }: ProtectParts) {
  const settings = placeOf(env);
  const folder = await privateFolder(win32.join(settings.home, 'data'));
  const store = await openStore(folder, (name) => log(common.terminal.damaged(name)));
  const { operator, server } = await configuredServer(process.execPath, settings.server);
  const options = settings.options(readOptions);
  const desktop = loadDesktop();
  const [pipe, security] = [loadPipe(), loadSecurity()];
  const letPeopleIn = (path: string) => pipe.letPeopleIn(path, security);
  const bridge = bridges();
  const { os, blocked, restore } = windows({
    ...{ calls, service: true, instead: ownCommand('--blocked'), power },
    openWindow: bridge.show,
  });

  const running = runHere({
    ...{ folder, os, store, server, successor, restore, args: ['--service'], env, execPath: process.execPath, log: log, leave },
    ...{ boot: bootName(), installed: true },
    async start(noticed) {
      const denials = untilHandedOver((names) => os.denyStarts?.(names));
      const agent = await startHere({
        ...{ os: { ...noticed, denyStarts: denials.deny }, store, server, operator, log: log },
        loopback_port: settings.port ?? limits.loopback_port,
        free: wantsFree(options),
        keep: win32.join(settings.home, 'kept'),
        sites: dnsFilterPlan({ rest: [], system: true, restore: false, own: null, upstream: null }, process, log),
      });
      const mine = await openBridge({ open: agent.showWindow, blocked, atScreen: desktop.sessionAtScreen, letPeopleIn }).catch(
        (err: Error) => {
          log(messages.noBridge(err.message));
          return null;
        },
      );
      return bridge.with(agent, mine, denials.handOver);
    },
  });
  void linkAtStart(await running.started, options, log).then(settings.used, (err: Error) => {
    settings.used();
    log(err.message);
  });
  return running;
}
