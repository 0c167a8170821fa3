import { join } from 'node:path';
import type { Call } from '../api/call.ts';
import { reportScan } from '../api/reporter.ts';
import type { ClockReading } from '../lib/span.ts';
import type { Os } from '../os/port.ts';
import type { AgentEvents } from '../ports.ts';
import { openQuarantine } from '../quarantine/quarantine.ts';
import type { InForce } from '../state/in-force.ts';
import type { Identity } from '../state/store.ts';
import { words } from '../ui/messages/messages.ts';
import { type DiskScanState, namesOf } from '../ui/window/found-page.ts';
import { keyOf } from './found.ts';
import { type ActiveRules, type DiskScanner, looking, type RestoreFailure } from './scanner.ts';

/** In milliseconds: far less than an update, or a system that stops us, gives. */
const timeout = 5000;

export interface DiskScanDeps {
  os: Os;
  keep: string | null;
  inForce: InForce;
  now: () => Date;
  readClock: () => ClockReading;
  log: (sentence: string) => void;
  events: AgentEvents;
}

export interface DiskScan {
  /** Something else may be in force. */
  consider(): void;
  state(): DiskScanState;
  /** Puts back what was taken of one entry. `why`: when not all of it is back. */
  putBack(entry: string): Promise<{ name: string; why: RestoreFailure | null }>;
  report(call: Call, identity: Identity): Promise<void>;
  close(): Promise<void>;
}

/** What lies on this computer, from the looks at it to the window and the server; nothing where nothing is to be kept. */
export async function diskScan({ os, keep, inForce, now, readClock, log, events }: DiskScanDeps): Promise<DiskScan> {
  const failed = (err: unknown) => log(words.terminal.lookFailed(err instanceof Error ? err.message : String(err)));
  const holds = (): ActiveRules | null => {
    const { identity, policy } = inForce;
    const [rules, set, definitions] = [inForce.rules(), inForce.compiled(), inForce.definitions()];
    // Whoever has just become a device waits for its policy: the free plan's would say another thing.
    if (!rules || !set || !definitions || (identity && !policy)) return null;
    return { device: identity?.device.uuid ?? null, rules, set, version: definitions.version };
  };
  const around: DiskScanner | null =
    keep === null
      ? null
      : await looking({
          ...{ os, now, holds, failed, timeout, folder: join(keep, 'looks') },
          queued: () => events.emit('reportQueued'),
          quarantine: await openQuarantine(join(keep, 'quarantine'), os, readClock, failed),
          foundNew(found) {
            log(words.terminal.found(namesOf(found)));
            events.emit('windowWanted');
          },
        });
  return {
    consider: () => around?.consider(),
    state: () => {
      const { looking: running, found } = around?.state() ?? { looking: false, found: [] };
      return { running, found: found.map((one) => ({ ...one, key: keyOf(one) })) };
    },
    putBack: async (entry) => (await around?.putBack(entry)) ?? { name: '', why: 'gone' },
    async report(call, identity) {
      for (const body of (await around?.reports(identity.device.uuid)) ?? []) {
        await reportScan(call, body, identity.agent_token);
        await around?.acknowledged(body.uuid);
      }
    },
    close: async () => around?.close(),
  };
}
