import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import { type IncidentOpener, opening_categories } from '@porchlight/contract/incident-events.ts';
import type { DetectionCategory } from '@porchlight/contract/shapes.ts';
import { day } from '@porchlight/contract/time.ts';
import type { Trx } from '../../db/open.ts';
import type { OpenIncident, Opening, StartRules, WaitingPrograms } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { enqueueEnd } from './ends.ts';
import { openerOfReport, openerOfStart } from './opening.ts';
import { ends_after, type IncidentStore } from './store.ts';

export interface OpenerDeps extends Pick<Kernel, 'enqueue' | 'events'> {
  incidents: IncidentStore;
  hasValidPlan(account: string, trx: Trx): Promise<boolean>;
  /** Called before an incident opens or opens again: what waits for the end of the earlier ones takes effect. */
  endMails(trx: Trx, account: string): Promise<void>;
}

/** Opens incidents, and queues the question of the day after for each new one, and its end (P9.1, P9.2). */
export function incidentOpeners({ incidents, enqueue, hasValidPlan, endMails, events }: OpenerDeps) {
  const open: OpenIncident = async (trx, opening) => {
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

    /** Opens what a device's report besides starts opens. The caller has locked the device. */
    async openByReport(trx: Trx, { kind, ...opening }: Omit<Opening, 'opener'> & { kind: ActivityKind }): Promise<void> {
      const opener = openerOfReport(kind, { locked_today: await incidents.openedToday(trx, opening.device.uuid, 'pin_locked') });
      if (opener) await open(trx, { ...opening, opener });
    },
  };
}

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

export interface StartDeps {
  open: OpenIncident;
  incidents: Pick<IncidentStore, 'openAt' | 'openedToday'>;
  programs: WaitingPrograms;
  isEscalating(trx: Trx, incident: string): Promise<boolean>;
}

/** What happens after a device has reported starts (P9.1). */
export function reportedStarts({ open, incidents, programs, isEscalating }: StartDeps) {
  /** The incident that the programs open or prolong; null if none does. */
  const incidentOf = async (trx: Trx, device: ReportingDevice, reported: ReportedStart[]): Promise<string | null> => {
    const mayOpen = reported.filter(({ category, site }) => opening_categories.has(category) && !site);
    if (!mayOpen.length) return null;
    const rulesOf = await programs.rulesAt(trx, device);
    const openers: { program: ReportedStart; opener: IncidentOpener; rules: StartRules }[] = [];
    for (const program of mayOpen) {
      const rules = rulesOf(program);
      const opener = openerOfStart({ ...program, ...rules });
      // Some programs and networks switch their own setting on again and again; the family has been asked about it.
      const isRepeated = opener === 'door' && (await incidents.openedToday(trx, device.uuid, opener, program.name));
      if (opener && !isRepeated) openers.push({ program, opener, rules });
    }
    const [first, last] = [openers[0], openers.at(-1)];
    let incident: string | null = null;
    for (const one of first === last ? [first] : [first, last]) {
      if (!one) continue;
      const { program, opener } = one;
      incident = await open(trx, { account: device.account, device, opener, what: program.name, time: program.time });
    }
    if (incident === null) return null;
    for (const { program, rules } of openers) {
      const permissions = rules.waits_for;
      if (program.category !== 'Door' && permissions.length)
        await programs.ask(trx, device, incident, program, { cause: 'first_hour', permissions });
    }
    return incident;
  };

  /** Each start that waits is one question, however often it is tried. */
  const askAboutWaiting = async (
    trx: Trx,
    device: ReportingDevice,
    opened: string | null,
    reported: ReportedStart[],
  ): Promise<Set<string>> => {
    const waiting = new Map(reported.filter(({ waits }) => waits).map((one) => [one.identifier, one]));
    const asked = new Set<string>();
    if (!waiting.size) return asked;
    const open = opened ?? (await incidents.openAt(device.account, device.uuid, trx))?.uuid ?? null;
    for (const [identifier, { name }] of waiting) {
      if (await programs.ask(trx, device, open, { name, identifier }, { cause: 'waiting', permissions: [] })) asked.add(identifier);
    }
    return asked;
  };

  /**
   * What a device reported, in order of time; the caller has locked the device. However long the report, two openers are stored.
   * `may_reply`: the incident waits for an answer. `asked`: identifiers of what waits and the guardians are asked about.
   */
  return async (trx: Trx, device: ReportingDevice, reported: ReportedStart[]): Promise<{ may_reply: boolean; asked: Set<string> }> => {
    const incident = await incidentOf(trx, device, reported);
    const asked = await askAboutWaiting(trx, device, incident, reported);
    return { may_reply: incident !== null && (await isEscalating(trx, incident)), asked };
  };
}
