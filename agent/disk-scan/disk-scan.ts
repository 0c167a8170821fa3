import { reportScan } from '../api/reporter.ts';
import type { GuardUserFiles } from '../lib/user-file-work.ts';
import type { Os } from '../os/port.ts';
import type { AgentEvents, DiskScan, Log, ProtectStored } from '../ports.ts';
import type { InForce } from '../state/in-force.ts';
import { keyOf } from '../state/stored-findings.ts';
import { namesOf } from '../ui/messages/found-names.ts';
import { messages } from '../ui/messages/messages.ts';
import { type ActiveRules, type DiskScanner, type DiskScannerDeps, diskScanner } from './scanner.ts';

/** Milliseconds that closing waits; far less than an update or a system shutdown allows. */
const timeout = 5000;

export interface DiskScanDeps {
  os: Os;
  stored: { folder: string; quarantine: DiskScannerDeps['quarantine']; protectStored: ProtectStored } | null;
  inForce: InForce;
  now: () => Date;
  failed: (err: unknown) => void;
  log: Log;
  events: AgentEvents;
  guard: GuardUserFiles;
}

export async function diskScan({ os, stored, inForce, now, failed, log, events, guard }: DiskScanDeps): Promise<DiskScan> {
  const activeRules = (): ActiveRules | null => {
    const { identity, policy } = inForce;
    const [rules, set, definitions] = [inForce.rules(), inForce.compiled(), inForce.definitions()];
    // A new device is not scanned until its policy arrives: the free plan's rules could decide otherwise.
    if (!rules || !set || !definitions || (identity && !policy)) return null;
    return { device: identity?.device.uuid ?? null, rules, set, version: definitions.version };
  };
  const scanner: DiskScanner | null =
    stored === null
      ? null
      : await diskScanner({
          ...{ os, now, activeRules, failed, timeout, guard, ...stored },
          queued: () => events.emit('reportQueued'),
          foundNew(found) {
            log(messages.terminal.found(namesOf(found)));
            events.emit('windowWanted');
          },
        });
  return {
    consider: () => scanner?.consider(),
    state: () => {
      const { scanning: running, found } = scanner?.state() ?? { scanning: false, found: [] };
      return { running, found: found.map((one) => ({ ...one, key: keyOf(one) })) };
    },
    restore: async (entry) => (await scanner?.putBack(entry)) ?? { name: '', why: 'gone' },
    async report(call, identity) {
      for (const body of (await scanner?.reports(identity.device.uuid)) ?? []) {
        await reportScan(call, body, identity.agent_token);
        await scanner?.acknowledged(body.uuid);
      }
    },
    close: async () => scanner?.close(),
  };
}
