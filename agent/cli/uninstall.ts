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
 * Exit codes of `--verify-pin` and `--uninstall` for installers, which may remove files only after 0. `pin`: missing, wrong, locked, or not
 * known here. `dns`: DNS does not work without the filter.
 */
export const uninstallExit = { done: 0, failed: 1, pin: 3, dns: 4 } as const;

export interface UninstallDeps {
  store: Store;
  server: string;
  readClock: () => ClockReading;
  pin: () => Promise<string>;
  /** Ends a network isolation, and returns sentences about what is left. Idempotent. */
  restoreNetwork: () => Promise<string[]>;
  /** Restores the DNS settings, and returns whether `host` or another real host resolves then. Idempotent. */
  restoreDns: (host: string) => Promise<boolean>;
  /** Removes our policies of the browsers, and returns sentences about those that are left. Idempotent. */
  restoreBrowsers: (store: Store) => Promise<string[]>;
  /** Lets an installer stop and delete the service, where that is not its right. */
  releaseService?: () => void;
  log: Log;
}

const commandIn = (args: string[]) => (['--verify-pin', '--uninstall'] as const).find((name) => args.includes(name));
export const isUninstall = (args: string[]) => commandIn(args) !== undefined;

/**
 * `--verify-pin` only checks the PIN; `--uninstall` does everything except removing files, also while the agent runs (P4.6). Null without
 * either option.
 */
export async function uninstallCommand(args: string[], deps: () => Promise<UninstallDeps>): Promise<number | null> {
  const command = commandIn(args);
  if (!command) return null;
  const uninstallDeps = await deps();
  try {
    await checkPin(uninstallDeps, command === '--verify-pin' ? 'peek' : undefined);
    return command === '--verify-pin' ? uninstallExit.done : await performUninstall(uninstallDeps);
  } catch (err) {
    uninstallDeps.log(err instanceof Error ? err.message : String(err));
    return err instanceof LinkRefused ? uninstallExit.pin : uninstallExit.failed;
  }
}

/** Throws `LinkRefused` unless the PIN or the one-time code is right, or none is needed. Wrong attempts here and in a running agent are counted together. */
async function checkPin({ store, server, readClock, log, pin }: UninstallDeps, peek: 'peek' | undefined): Promise<void> {
  const inForce = await readInForce(store, false);
  const checkPinRemotely = remotePinCheck(caller(server));
  const controls = await localControls({ store, inForce, readClock, log, checkPinRemotely, events: eventHub() });
  try {
    if (!inForce.asksPin()) return;
    await controls.checkMayRemove(await pin(), peek);
  } finally {
    controls.close();
  }
}

async function performUninstall(deps: UninstallDeps): Promise<number> {
  const { store, server, readClock, restoreNetwork, restoreDns, restoreBrowsers, log } = deps;
  // The uninstall is recorded first, because a running agent would redirect DNS to itself, and cut the internet, again.
  await store.beginUninstall(readClock().wall);
  // No name resolves while the internet is cut.
  for (const sentence of await restoreNetwork()) log(sentence);
  let dnsWorks = false;
  try {
    dnsWorks = (await restoreDns(new URL(server).hostname)) || !isOnline();
  } finally {
    if (!dnsWorks) await store.cancelUninstall();
  }
  if (!dnsWorks) {
    log(messages.terminal.noNames);
    return uninstallExit.dns;
  }
  for (const sentence of await restoreBrowsers(store)) log(sentence);
  const identity = await store.identity();
  if (identity) await sayGoodbye(caller(server), identity, { reason: 'uninstalled' });
  await store.forgetBackup();
  deps.releaseService?.();
  log(messages.terminal.leaving);
  return uninstallExit.done;
}

/** Without a network no host resolves, whatever the DNS settings are. */
function isOnline(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));
}
