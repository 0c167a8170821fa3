import type { IncidentOpener } from '@porchlight/contract/incident-events.ts';
import { oneTimeCodes } from '@porchlight/contract/one-time-codes.ts';
import type { DetectionCategory } from '@porchlight/contract/shapes.ts';
import { day } from '@porchlight/contract/time.ts';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { enqueueEnd } from './ends.ts';
import type { HoldFactStore } from './fact-store.ts';
import { type RecentPermission, waitingFor } from './first-hour-rule.ts';
import type { FirstHours } from './first-hours.ts';
import { openerOfStart } from './opening.ts';
import { ends_after, type IncidentStore, type Opening } from './store.ts';

interface ReportingDevice {
  uuid: string;
  account: string;
  name: string;
}

/** A program or site that a device reported. */
export interface ReportedStart {
  name: string;
  identifier: string;
  category: DetectionCategory;
  site: boolean;
  blocked: boolean;
  /** Whether it waits at the computer for a yes. */
  waits: boolean;
  start: 'person' | 'system';
  time: Date;
}

export type IncidentOpeners = ReturnType<typeof incidentOpeners>;

export interface OpenerDeps extends Pick<Kernel, 'clock' | 'enqueue' | 'events'> {
  incidents: IncidentStore;
  facts: HoldFactStore;
  hasValidPlan(account: string, trx: Trx): Promise<boolean>;
  /** Called before an incident opens or opens again: what waits for the end of the earlier ones takes effect. */
  endMails(trx: Trx, account: string): Promise<void>;
  isEscalating(trx: Trx, incident: string): Promise<boolean>;
  firstHours: Pick<FirstHours, 'restrictionsIn' | 'ask'>;
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
  events,
  isEscalating,
  firstHours,
}: OpenerDeps) {
  const open = async (trx: Trx, opening: Opening): Promise<string | null> => {
    await endMails(trx, opening.account);
    const opened = await incidents.open(trx, opening);
    if (opened && opened.before !== 'open') {
      await incidents.notePlan(trx, opened.uuid, await hasValidPlan(opening.account, trx));
      await enqueueEnd(enqueue, trx, opened.uuid, after(opening.time, ends_after));
      await events.emit(trx, 'policy_changed', { account: opening.account, device: opening.device.uuid });
    }
    if (opened?.before === 'none') {
      await enqueue(trx, 'incident_checkup', `incident-checkup:${opened.uuid}`, { incident: opened.uuid }, after(opening.time, day));
    }
    if (opened) await events.emit(trx, 'incident_opened', { ...opening, incident: opened.uuid, before: opened.before });
    return opened?.uuid ?? null;
  };

  return {
    open,

    /**
     * What a device reported, in order of time; the caller has locked the device. However long the report, two openers are stored.
     * `may_reply`: the incident waits for an answer. `asked`: identifiers of what waits and the guardians are asked about.
     */
    async starts(trx: Trx, device: ReportingDevice, reported: ReportedStart[]): Promise<{ may_reply: boolean; asked: Set<string> }> {
      const incident = await incidentOf(trx, device, reported);
      const asked = await askAboutWaiting(trx, device, incident, reported);
      return { may_reply: incident !== null && (await isEscalating(trx, incident)), asked };
    },
  };

  /** The incident that the programs open or prolong; null if none does. */
  async function incidentOf(trx: Trx, device: ReportingDevice, reported: ReportedStart[]): Promise<string | null> {
    const programs = reported.filter(({ category, site }) => (category === 'RemoteControl' && !site) || category === 'PastedCommand');
    if (!programs.length) return null;
    const { action, allowed } = await facts.rulesOf(trx, device.uuid);
    const permissions = await facts.permissionsAt(trx, device.account, device.uuid);
    const restrictions = permissions.length ? await firstHours.restrictionsIn(trx, device.account, permissions) : null;
    const codes = await facts.codesUsed(trx, device.account, device.uuid);
    const now = clock.now().getTime();
    const since = (isIt: (one: RecentPermission) => boolean) => {
      const newest = permissions.findLast(isIt);
      return newest ? now - newest.time.getTime() : null;
    };
    const isProfile = ({ kind }: RecentPermission) => kind !== 'allowed';
    const waitsFor = ({ identifier }: ReportedStart): RecentPermission[] =>
      restrictions ? waitingFor(permissions, restrictions, { action, exception: allowed.get(identifier) ?? null }) : [];
    const openers = programs.flatMap((program): { program: ReportedStart; opener: IncidentOpener }[] => {
      const wasAllowedLately = waitsFor(program).some((one) => !isProfile(one));
      const opener = openerOfStart({
        ...program,
        action,
        // Any other program that was stopped had not been allowed yet.
        allowed: wasAllowedLately || ((allowed.has(program.identifier) || isByCode(program, codes.get(program.name))) && !program.blocked),
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
    if (incident === null) return null;
    for (const { program } of openers) {
      const waiting = waitsFor(program);
      if (waiting.length) await firstHours.ask(trx, device, incident, program, { cause: 'first_hour', permissions: waiting });
    }
    return incident;
  }

  /** Each start that waits is one question, however often it is tried. */
  async function askAboutWaiting(
    trx: Trx,
    device: ReportingDevice,
    opened: string | null,
    reported: ReportedStart[],
  ): Promise<Set<string>> {
    const waiting = new Map(reported.filter(({ waits }) => waits).map((one) => [one.identifier, one]));
    const asked = new Set<string>();
    if (!waiting.size) return asked;
    const open = opened ?? (await incidents.openAt(device.account, device.uuid, trx))?.uuid ?? null;
    for (const [identifier, one] of waiting) {
      const program = { name: one.name, identifier };
      if (await firstHours.ask(trx, device, open, program, { cause: 'waiting', permissions: [] })) asked.add(identifier);
    }
    return asked;
  }
}
