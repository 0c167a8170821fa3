import { networkInterfaces } from 'node:os';
import { caller } from '../api/call.ts';
import { remotePinCheck } from '../api/check-pin.ts';
import { LinkRefused } from '../api/enrol.ts';
import { sayGoodbye } from '../api/goodbye.ts';
import { eventHub } from '../lib/events.ts';
import type { ClockReading } from '../lib/span.ts';
import { localControls } from '../lock/local-controls.ts';
import type { Log } from '../ports.ts';
import { readInForce } from '../state/in-force.ts';
import type { Store } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';

/**
 * The exit codes of `--verify-pin` and `--uninstall` for installers; the sentence for the user is on the output. 0: done. 1: another failure. 3: the
 * PIN is missing, wrong, locked or not known here. 4: DNS does not work without the filter. Unless it is 0 nothing may be removed.
 */
export const uninstallExit = { done: 0, failed: 1, pin: 3, names: 4 } as const;

export interface UninstallDeps {
  store: Store;
  server: string;
  readClock: () => ClockReading;
  pin: () => Promise<string>;
  /** Restores the resolver, and answers whether this host or another real one is found then. Doing it again does no harm. */
  restoreNames: (host: string) => Promise<boolean>;
  log: Log;
}

const wanted = (args: string[]) => (['--verify-pin', '--uninstall'] as const).find((name) => args.includes(name));
export const isUninstall = (args: string[]) => wanted(args) !== undefined;

/**
 * Null when neither option was given. `--verify-pin` only checks; `--uninstall` does everything but remove the files. The agent may run meanwhile
 * (P4.6).
 */
export async function uninstallCommand(args: string[], deps: () => Promise<UninstallDeps>): Promise<number | null> {
  const asked = wanted(args);
  if (!asked) return null;
  const all = await deps();
  try {
    await checkPin(all);
    return asked === '--verify-pin' ? uninstallExit.done : await takeLeave(all);
  } catch (err) {
    all.log(err instanceof Error ? err.message : String(err));
    return err instanceof LinkRefused ? uninstallExit.pin : uninstallExit.failed;
  }
}

/** Throws `LinkRefused` unless the PIN is right or not needed. The count of tries is shared with an agent that runs. */
async function checkPin({ store, server, readClock, log, pin }: UninstallDeps): Promise<void> {
  const inForce = await readInForce(store, false);
  const checkPinRemotely = remotePinCheck(caller(server));
  const controls = await localControls({ store, inForce, readClock, log, checkPinRemotely, events: eventHub() });
  try {
    if (!inForce.asksPin()) return;
    await controls.mayLeave(await pin());
  } finally {
    controls.close();
  }
}

/** The resolver comes first: a computer without DNS could not be helped from afar. */
async function takeLeave({ store, server, readClock, restoreNames, log }: UninstallDeps): Promise<number> {
  // First of all: a running agent would redirect DNS to itself again as soon as it is restored.
  await store.setLeaving(readClock().wall);
  let found = false;
  try {
    found = (await restoreNames(new URL(server).hostname)) || !isOnline();
  } finally {
    if (!found) await store.stay();
  }
  if (!found) {
    log(messages.terminal.noNames);
    return uninstallExit.names;
  }
  const identity = await store.identity();
  if (identity) await sayGoodbye(caller(server), identity, { reason: 'uninstalled' });
  log(messages.terminal.leaving);
  return uninstallExit.done;
}

/** A computer without a network finds no host, whoever answers DNS. */
function isOnline(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));
}
