import type { IncidentOpener, IncidentState } from '@porchlight/contract/incidents.ts';
import { oneTimeCodes } from '@porchlight/contract/one-time-codes.ts';
import type { Category } from '@porchlight/contract/shapes.ts';
import type { Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { enqueueEnd } from './ends.ts';
import type { HoldFactStore } from './fact-store.ts';
import { type FreedFact, waitingFor } from './first-hour-rule.ts';
import type { FirstHours } from './first-hours.ts';
import { openerOfStart } from './opening.ts';
import { ends_after, type IncidentStore, type Opening } from './store.ts';

const day = 24 * 3_600_000;

/** A program or site that a device reported. */
export interface ReportedStart {
  name: string;
  identifier: string;
  category: Category;
  site: boolean;
  blocked: boolean;
  start: 'person' | 'system';
  time: Date;
}

export type IncidentOpeners = ReturnType<typeof incidentOpeners>;

export interface OpenerDeps {
  clock: Clock;
  incidents: IncidentStore;
  facts: HoldFactStore;
  enqueue: Enqueue;
  hasValidPlan(account: string, trx: Trx): Promise<boolean>;
  /** Called before an incident opens or opens again: what waits for the end of the earlier ones takes effect. */
  endMails(trx: Trx, account: string): Promise<void>;
  /** Raises the version of the device's policy, whose lock changes (P10.5). */
  policyChanges(trx: Trx, account: string, device: string): Promise<unknown>;
  /** Begins an escalation where the opener is a reason for one (P11.1). */
  climb(trx: Trx, incident: string, opening: Pick<Opening, 'opener' | 'what' | 'time'> & { before: 'none' | IncidentState }): Promise<void>;
  isClimbing(trx: Trx, incident: string): Promise<boolean>;
  firstHours: Pick<FirstHours, 'cautionIn' | 'ask'>;
}

/** A one-time code allows a program for an hour, by a guardian's yes (P10.7). */
const isByCode = ({ time }: ReportedStart, used: Date | undefined): boolean =>
  used !== undefined && time >= used && time <= after(used, oneTimeCodes.allows_for);

/** Opens incidents, and queues the question of the day after for each new one, and its end (P9.1, P9.2). */
export function incidentOpeners({
  clock,
  incidents,
  facts,
  enqueue,
  hasValidPlan,
  endMails,
  policyChanges,
  climb,
  isClimbing,
  firstHours,
}: OpenerDeps) {
  const open = async (trx: Trx, opening: Opening): Promise<string | null> => {
    await endMails(trx, opening.account);
    const opened = await incidents.open(trx, opening);
    if (opened && opened.before !== 'open') {
      await incidents.notePlan(trx, opened.uuid, await hasValidPlan(opening.account, trx));
      await enqueueEnd(enqueue, trx, opened.uuid, after(opening.time, ends_after));
      await policyChanges(trx, opening.account, opening.device.uuid);
    }
    if (opened?.before === 'none') {
      await enqueue(trx, 'incident_checkup', `incident-checkup:${opened.uuid}`, { incident: opened.uuid }, after(opening.time, day));
    }
    if (opened) await climb(trx, opened.uuid, { ...opening, before: opened.before });
    return opened?.uuid ?? null;
  };

  return {
    open,

    /**
     * What a device reported, in order of time; the caller has locked the device. However long the report, two openers are stored. Whether
     * the incident waits for an answer.
     */
    async starts(trx: Trx, device: { uuid: string; account: string; name: string }, reported: ReportedStart[]): Promise<boolean> {
      const programs = reported.filter(({ category, site }) => category === 'RemoteControl' && !site);
      if (!programs.length) return false;
      const { action, allowed } = await facts.rulesOf(trx, device.uuid);
      const freed = await facts.freedAt(trx, device.account, device.uuid);
      const caution = freed.length ? await firstHours.cautionIn(trx, device.account, freed) : null;
      const codes = await facts.codesUsed(trx, device.account, device.uuid);
      const now = clock.now().getTime();
      const since = (isIt: (one: FreedFact) => boolean) => {
        const newest = freed.findLast(isIt);
        return newest ? now - newest.time.getTime() : null;
      };
      const isProfile = ({ kind }: FreedFact) => kind !== 'allowed';
      const waitsFor = ({ identifier }: ReportedStart): FreedFact[] =>
        caution ? waitingFor(freed, caution, { action, exception: allowed.get(identifier) ?? null }) : [];
      const openers = programs.flatMap((program): { program: ReportedStart; opener: IncidentOpener }[] => {
        const isWaiting = waitsFor(program).some((one) => !isProfile(one));
        const opener = openerOfStart({
          ...program,
          action,
          // Any other program that was stopped had not been allowed yet.
          allowed: isWaiting || ((allowed.has(program.identifier) || isByCode(program, codes.get(program.name))) && !program.blocked),
          since_allowed: since(({ kind, what }) => kind === 'allowed' && what === program.name),
          since_weaker: since(isProfile),
        });
        return opener ? [{ program, opener }] : [];
      });
      const [first, last] = [openers[0], openers.at(-1)];
      let incident: string | null = null;
      for (const one of first === last ? [first] : [first, last]) {
        if (!one) continue;
        const { program, opener } = one;
        incident = await open(trx, { account: device.account, device, opener, what: program.name, time: program.time });
      }
      if (incident === null) return false;
      for (const { program } of openers) {
        const waiting = waitsFor(program);
        if (waiting.length) await firstHours.ask(trx, device, incident, program, { cause: 'first_hour', freed: waiting });
      }
      return isClimbing(trx, incident);
    },
  };
}
