import { win32 } from 'node:path';
import { limits } from '@porchlight/contract/limits.ts';
import type { Agent } from '../agent.ts';
import { readOptions, wantsFree } from '../cli/options.ts';
import { dnsFilterPlan } from '../dns-filter/plan.ts';
import { readSystemClock } from '../lib/clock.ts';
import { release } from '../lib/release.ts';
import { bootName } from '../os/windows/boot-name.ts';
import { untilHandedOver } from '../os/windows/deny-starts.ts';
import { logTo } from '../os/windows/log.ts';
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
import { words } from '../os/windows/words.ts';
import { privateFolder } from '../state/files.ts';
import { noteRun, type Run } from '../state/last-run.ts';
import { openStore } from '../state/store.ts';
import { words as common } from '../ui/messages/messages.ts';
import { begin, taken } from './begin.ts';
import { linkAtStart } from './link-at-start.ts';
import { configuredServer } from './server-url.ts';
import { stayUntilReplaced, type TakeoverDeps, takeOver } from './takeover.ts';
import { withTemporaryNotice } from './temporary-notice.ts';
import { asSuccessor } from './update/as-successor.ts';
import { autoUpdate } from './update/auto-update.ts';

type Env = NodeJS.ProcessEnv;

/** How often a successor tries to have the service started again, which then takes its place. Milliseconds. */
const START_MS = 1000;

/** In session 0, before anyone logs in. All that it says goes to a file. After an update, once more beside it: until Windows has started the new one. */
export async function windowsService(env: Env): Promise<void> {
  const { home } = placeOf(env);
  // Before anything in it is read or written: what lies there may be somebody else's.
  const aside = ownFolderHere(home);
  const say = logTo(home);
  if (aside.moved.length) say(words.movedAside(aside.moved));
  if (aside.left.length) say(words.leftThere(aside.left));
  const calls = loadServices();
  const successor = asSuccessor(process);
  const power = powerEvents();
  const begun = (leave: () => void) =>
    protectComputer({ env, calls, say, successor, power: successor ? null : power, leave }).catch((err: Error) => {
      say(words.failed(err.message));
      throw err;
    });
  if (successor) {
    await begun(() => process.exit(0)).catch(() => process.exit(1));
    say(words.tookOver);
    const managed = services(calls);
    // The one before has gone without Windows having stopped it, and is started again for that too; whoever is first.
    setInterval(() => managed.start(serviceName), START_MS);
    return;
  }
  let running: ReturnType<typeof begun> | null = null;
  const over = await runAsService(
    calls,
    async (leave) => {
      running = begun(leave);
      await running;
      say(words.started);
    },
    async (why) => (await running)?.end(why),
    power.happened,
  );
  process.exit(over ? 0 : 1);
}

interface ProtectParts {
  env: Env;
  calls: ServiceCalls;
  say: (sentence: string) => void;
  successor: TakeoverDeps['successor'];
  /** What Windows says of sleep, which it says to the service alone. */
  power: PowerEvents | null;
  /** Another one protects: ends this process. */
  leave: () => void;
}

/** The agent for the whole computer, with all that it changes of it. Throws a sentence when another one keeps the place. */
async function protectComputer({ env, calls, say, successor, power, leave }: ProtectParts) {
  const settings = placeOf(env);
  const folder = await privateFolder(win32.join(settings.home, 'data'));
  const store = await openStore(folder, (name) => say(common.terminal.damaged(name)));
  const { operator, server } = await configuredServer(process.execPath, settings.server);
  const options = settings.options(readOptions);
  const desktop = loadDesktop();
  const [pipe, security] = [loadPipe(), loadSecurity()];
  const letPeopleIn = (path: string) => pipe.letPeopleIn(path, security);
  const bridge = bridges();
  let run: Run | null = null;
  const { os, blocked, restore } = windows({
    ...{ calls, service: true, instead: ownCommand('--blocked'), power },
    openWindow: bridge.show,
  });

  const start = async (first: boolean): Promise<Agent> => {
    // What one that was killed may have left behind. One that makes room has put back what only one may have, and still keeps programs from starting.
    if (first) await restore('killed');
    run = await noteRun(folder, bootName(), (why) => say(common.terminal.notWritten('That it runs', why)));
    const denials = untilHandedOver((names) => os.denyStarts?.(names));
    const agent = await begin({
      os: {
        ...(first && run.died ? withTemporaryNotice(os, common.terminal.restarted, readSystemClock) : os),
        denyStarts: denials.deny,
      },
      ...{ store, server, operator },
      loopback_port: settings.port ?? limits.loopback_port,
      free: wantsFree(options),
      keep: win32.join(settings.home, 'kept'),
      sites: dnsFilterPlan({ rest: [], system: true, restore: false, own: null, upstream: null }, process, say),
      log: say,
    });
    const mine = await openBridge({ open: agent.showWindow, blocked, atScreen: desktop.sessionAtScreen, letPeopleIn }).catch(
      (err: Error) => {
        // Protection goes on without it.
        say(words.noBridge(err.message));
        return null;
      },
    );
    return bridge.with(agent, mine, denials.handOver);
  };

  const ending = new AbortController();
  const life = await takeOver({ folder, installed: true, successor, start });
  if (!life) throw taken(folder);
  if (successor)
    void stayUntilReplaced(folder, life, ending.signal)
      .then(() => life.agent().close())
      .then(leave);
  if (release) autoUpdate({ release, store, server, life, args: ['--service'], env, execPath: process.execPath, log: say, leave });
  void linkAtStart(life.agent(), options, say).then(settings.used, (err: Error) => {
    settings.used();
    say(err.message);
  });
  return {
    async end(why: 'shutdown' | 'stopped') {
      ending.abort();
      await life.agent().close(why);
      await restore(why);
      await run?.over();
    },
  };
}
