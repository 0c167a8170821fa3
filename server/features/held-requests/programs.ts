import { suspicious_after } from '@porchlight/contract/incident-events.ts';
import { oneTimeCodes } from '@porchlight/contract/one-time-codes.ts';
import { hour } from '@porchlight/contract/time.ts';
import { money_pages_identifier, pausedSiteOf } from '@porchlight/contract/unlisted-protection.ts';
import type { DoneActivity } from '../../db/incident-tables.ts';
import type { Trx } from '../../db/open.ts';
import type { GuardiansFactLookup, RecentPermission, WaitingEntries, WaitingPrograms } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import type { PolicyPart } from '../../ports.ts';
import type { Sealer } from '../../secrets/seal.ts';
import { guardianQuestions, type QuestionDeps } from './ask-guardians.ts';
import { callMac } from './call-mac.ts';
import { type AllowedProgram, type FoundRisk, type HoldFactStore, permissionsOfRisks, risksInPolicy, showsPin } from './fact-store.ts';
import { type DeviceRestrictions, restrictionsOf, waitingFor } from './first-hour-rule.ts';
import { type RequestStore, refusalOf, requests_max } from './request-store.ts';

export interface WaitingProgramDeps extends QuestionDeps, Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'events'> {
  guardiansOf: GuardiansFactLookup;
  sealer: Pick<Sealer, 'mac'>;
  facts: HoldFactStore;
  requests: RequestStore;
  /** Whether a program may be allowed at all. */
  isAllowable(trx: Trx, identifier: string): Promise<boolean>;
  takeBack(trx: Trx, account: string, activities: DoneActivity[], by: string): Promise<boolean>;
  entries: WaitingEntries;
}

const startKind = ({ identifier }: { identifier: string }) =>
  identifier === money_pages_identifier ? 'open_money' : pausedSiteOf(identifier) === null ? 'run' : 'open_site';

/** An allow-list entry, which stays and waits; other permissions are taken back. */
const isAdded = (one: RecentPermission): one is RecentPermission & { exception: string } =>
  one.kind === 'allowed' && one.exception !== null;

const waitingStill = (
  { id, added }: AllowedProgram,
  entry: string,
  { device, name }: { device: string; name: string },
): RecentPermission => ({
  ...{ entry, kind: 'allowed', device, what: name, exception: id, time: added },
});

/** A one-time code allows a program for an hour, by a guardian's yes (P10.7). */
const isByCode = (time: Date, used: Date | undefined): boolean =>
  used !== undefined && time >= used && time <= after(used, oneTimeCodes.allows_for);

export type ProgramQuestions = ReturnType<typeof waitingPrograms>;

/** Programs that wait for a yes: what was made possible shortly before and started, and what somebody at the computer asks for (P9.1). */
export function waitingPrograms(deps: WaitingProgramDeps) {
  const { db, clock, enqueue, facts, requests, guardiansOf } = deps;
  const askGuardians = guardianQuestions(deps);

  const restrictionsIn = async (trx: Trx, account: string, permissions: RecentPermission[]): Promise<DeviceRestrictions> => {
    const asks = permissions.length > 0 && (await guardiansOf(account, trx)) !== 'none';
    return restrictionsOf(permissions, asks, clock.now());
  };

  const programs: WaitingPrograms = {
    async rulesAt(trx, device) {
      const { action, allowed } = await facts.rulesOf(trx, device.uuid);
      const permissions = await facts.permissionsAt(trx, device.account, device.uuid);
      const restrictions = permissions.length ? await restrictionsIn(trx, device.account, permissions) : null;
      const codes = await facts.codesUsed(trx, device.account, device.uuid);
      const now = clock.now().getTime();
      const since = (isIt: (one: RecentPermission) => boolean) => {
        const newest = permissions.findLast(isIt);
        return newest ? now - newest.time.getTime() : null;
      };
      const isProfile = ({ kind }: RecentPermission) => kind !== 'allowed';
      return ({ name, identifier, blocked, time }) => {
        const exception = allowed.get(identifier);
        const waits_for = exception?.waits_entry
          ? [waitingStill(exception, exception.waits_entry, { device: device.uuid, name })]
          : restrictions
            ? waitingFor(permissions, restrictions, { action, exception: exception?.id ?? null })
            : [];
        // Any other program that was stopped had not been allowed yet.
        const isAllowed = !blocked && (exception !== undefined || isByCode(time, codes.get(name)));
        return {
          ...{ action, waits_for },
          allowed: isAllowed || waits_for.some((one) => !isProfile(one)),
          // Nobody has agreed to what waits, however long ago it was added.
          since_allowed: exception?.waits_entry ? 0 : since(({ kind, what }) => kind === 'allowed' && what === name),
          since_weaker: since(isProfile),
        };
      };
    },

    async ask(trx, device, incident, program, { cause, permissions }) {
      const { account } = device;
      const [added, others] = [permissions.filter(isAdded), permissions.filter((one) => !isAdded(one))];
      await deps.takeBack(trx, account, others, '');
      let isLasting = false;
      for (const { exception, entry } of added) if (await deps.entries.wait(trx, device.uuid, exception, entry)) isLasting = true;
      if (cause !== 'waiting' && !(await deps.isAllowable(trx, program.identifier))) return false;
      const content = { endpoint: 'a start', params: { device: device.uuid }, body: { identifier: program.identifier } };
      const mac = callMac(deps.sealer, account, content);
      const { same, open } = await requests.about(trx, account, mac);
      const refusal = same && refusalOf(same, clock.now());
      if (refusal) for (const { exception } of added) await deps.entries.refuse(trx, account, device.uuid, exception, refusal.name);
      if (same) return true;
      if (open >= requests_max) return false;
      const kind = cause === 'waiting' ? startKind(program) : cause === 'asked' ? ('asked' as const) : ('allowed' as const);
      const activity = { kind, device: device.name, what: program.name, identifier: program.identifier, lasting: isLasting };
      const row = await requests.add(trx, {
        ...{ account, incident, device: device.uuid, device_name: device.name, call_mac: mac },
        activities: JSON.stringify([activity]),
        rule: (await guardiansOf(account, trx)) === 'none' ? 'hour' : 'day',
        cause,
      });
      await askGuardians(trx, row);
      return true;
    },
  };

  return {
    ...programs,

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
