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
 * What installers hear from `--verify-pin` and `--uninstall` as the exit code; the sentence for the person is on the output.
 * 0: yes, it is done. 1: something else went wrong. 3: the PIN is missing, wrong, locked or not known here. 4: no name is found without us.
 * Unless it is 0 nothing may be removed.
 */
export const uninstallExit = { done: 0, failed: 1, pin: 3, names: 4 } as const;

export interface UninstallDeps {
  store: Store;
  server: string;
  readClock: () => ClockReading;
  /** The PIN: in a file, or what comes in. */
  pin: () => Promise<string>;
  /** Puts names back as they were before us, and answers whether this one or another real one is found then. Doing it again does no harm. */
  restoreNames: (host: string) => Promise<boolean>;
  log: Log;
}

const wanted = (args: string[]) => (['--verify-pin', '--uninstall'] as const).find((name) => args.includes(name));
export const isUninstall = (args: string[]) => wanted(args) !== undefined;

/** Null when it was not asked for. `--verify-pin` only asks whether it may be; `--uninstall` does all but remove the files, the agent may run meanwhile (P4.6). */
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

/** Throws `LinkRefused` unless it is right, or nobody needs one. What is left of the tries is the agent's own, which may run beside this. */
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

/** In this order: a computer that finds no names any more could not be helped from afar. */
async function takeLeave({ store, server, readClock, restoreNames, log }: UninstallDeps): Promise<number> {
  // First of all: the agent that runs meanwhile would lead names to itself again as soon as they are back.
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

/** A computer without a network finds no name, whoever answers for names. */
function isOnline(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));
}
