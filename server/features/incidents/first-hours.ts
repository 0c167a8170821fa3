import { hour } from '@porchlight/contract/time.ts';
import { money_pages_identifier } from '@porchlight/contract/unlisted-protection.ts';
import type { DoneActivity } from '../../db/incident-tables.ts';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import type { GuardiansFactLookup, PolicyPart } from '../../ports.ts';
import type { Sealer } from '../../secrets/seal.ts';
import { guardianQuestions, type QuestionDeps } from './ask-guardians.ts';
import { callMac } from './call-mac.ts';
import { type FoundRisk, type HoldFactStore, permissionsOfRisks, risksInPolicy, showsPin } from './fact-store.ts';
import { type DeviceRestrictions, type RecentPermission, restrictionsOf } from './first-hour-rule.ts';
import { suspicious_after } from './opening.ts';
import { type RequestStore, requests_max } from './request-store.ts';

export interface FirstHourDeps extends QuestionDeps, Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'events'> {
  guardiansOf: GuardiansFactLookup;
  sealer: Pick<Sealer, 'mac'>;
  facts: HoldFactStore;
  requests: RequestStore;
  /** Whether a program may be allowed at all. */
  isAllowable(trx: Trx, identifier: string): Promise<boolean>;
  takeBack(trx: Trx, account: string, activities: DoneActivity[]): Promise<boolean>;
}

interface ReportingDevice {
  uuid: string;
  account: string;
  name: string;
}

interface Program {
  name: string;
  identifier: string;
}

/**
 * Why the guardians are asked: it was started in the first hour of one of `permissions`, somebody at the computer asked for it, or it waits there
 * (P12.3, P12.4, P12.6).
 */
interface Reason {
  cause: 'first_hour' | 'asked' | 'waiting';
  permissions: RecentPermission[];
}

const startKind = ({ identifier }: Program) => (identifier === money_pages_identifier ? 'open_money' : 'run');

export type FirstHours = ReturnType<typeof firstHours>;

/** Programs that wait for a yes: what was made possible shortly before and started, and what somebody at the computer asks for (P9.1). */
export function firstHours(deps: FirstHourDeps) {
  const { db, clock, enqueue, facts, requests, guardiansOf } = deps;
  const askGuardians = guardianQuestions(deps);

  const restrictionsIn = async (trx: Trx, account: string, permissions: RecentPermission[]): Promise<DeviceRestrictions> => {
    const asks = permissions.length > 0 && (await guardiansOf(account, trx)) !== 'none';
    return restrictionsOf(permissions, asks, clock.now());
  };

  return {
    restrictionsIn,

    /** For a device's allow list. */
    async restrictionsAt(account: string, device: string): Promise<DeviceRestrictions> {
      const permissions = await facts.permissionsAt(db, account, device);
      // Almost always: each agent asks for its policy every minute.
      if (!permissions.length) return restrictionsOf([], false, clock.now());
      return db.transaction().execute((trx) => restrictionsIn(trx, account, permissions));
    },

    /** What was made possible within a day, without a yes. `pin_shown`: a start ends a pause that was made with the PIN. */
    inPolicy: {
      found: risksInPolicy,
      async read(found, { account, device, now }) {
        // Almost always: each agent asks for its policy every minute.
        if (!found) return { restrictions: restrictionsOf([], false, now), pin_shown: false };
        const asks = (await guardiansOf(account, db)) !== 'none';
        const restrictions = restrictionsOf(permissionsOfRisks(found, device), asks, now);
        return { restrictions, pin_shown: asks && found.some(({ kind }) => showsPin(kind)) };
      },
    } satisfies PolicyPart<{ restrictions: DeviceRestrictions; pin_shown: boolean }, FoundRisk[] | null>,

    /** Whether a guardian can be asked about this program. */
    canAsk: async (trx: Trx, account: string, identifier: string): Promise<boolean> =>
      (await deps.isAllowable(trx, identifier)) && (await guardiansOf(account, trx)) === 'some',

    /** Takes back what let the program start, and asks the guardians about it, once. Whether a request about it is there, with an answer or without. */
    async ask(
      trx: Trx,
      device: ReportingDevice,
      incident: string | null,
      program: Program,
      { cause, permissions }: Reason,
    ): Promise<boolean> {
      const { account } = device;
      await deps.takeBack(trx, account, permissions);
      if (cause !== 'waiting' && !(await deps.isAllowable(trx, program.identifier))) return false;
      const content = { endpoint: 'a start', params: { device: device.uuid }, body: { identifier: program.identifier } };
      const mac = callMac(deps.sealer, account, content);
      const { same, open } = await requests.about(trx, account, mac);
      if (same) return true;
      if (open >= requests_max) return false;
      const kind = cause === 'waiting' ? startKind(program) : cause === 'asked' ? ('asked' as const) : ('allowed' as const);
      const activity = { kind, device: device.name, what: program.name, identifier: program.identifier };
      const row = await requests.add(trx, {
        ...{ account, incident, device: device.uuid, device_name: device.name, call_mac: mac },
        activities: JSON.stringify([activity]),
        rule: (await guardiansOf(account, trx)) === 'none' ? 'hour' : 'day',
        cause,
      });
      await askGuardians(trx, row);
      return true;
    },

    /** Queues the changes of the policies: a start no longer waits for a yes after an hour, and is no longer reported after a day. */
    async began(trx: Trx, account: string, entry: string): Promise<void> {
      for (const [name, ms] of [
        ['hour', hour],
        ['day', suspicious_after],
      ] as const)
        await enqueue(trx, 'first_hour_end', `first-hour-end:${entry}:${name}`, { account }, after(clock.now(), ms));
    },

    /** The PIN was shown, which agents learn at once, and which counts for a day. */
    async pinWasShown(trx: Trx, account: string, entry: string): Promise<void> {
      await deps.events.emit(trx, 'policy_changed', { account, device: null });
      await enqueue(trx, 'first_hour_end', `first-hour-end:${entry}:day`, { account }, after(clock.now(), suspicious_after));
    },

    endJob: ({ account }: { account: string }) =>
      db.transaction().execute((trx) => deps.events.emit(trx, 'policy_changed', { account, device: null })),
  };
}
