import type { Person } from '@porchlight/contract/devices.ts';
import { inWordsOf } from '@porchlight/contract/words/activity-subject.ts';
import { isAboutProgram } from '@porchlight/contract/words/waiting.ts';
import type { Trx } from '../../db/open.ts';
import type { Authority } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import type { LetThrough } from '../../notifications/render/held-request/outcomes.ts';
import { firstName, timesIn } from '../../texts/formatting.ts';
import type { HoldFactStore } from './fact-store.ts';
import type { RequestRow } from './request-store.ts';

/** What a yes to the request lets through, for messages. */
export const letsThrough = ({ cause, sealed_call }: RequestRow): LetThrough =>
  isAboutProgram(cause) ? 'program' : sealed_call === null ? 'by_caller' : 'by_server';

/** What messages about a request need. `time`: when the event happened of which people are notified. */
export const requestFacts = (row: RequestRow, person: Person | null, time_zone: string, time: Date) => ({
  request: row.uuid,
  incident: row.incident,
  activities: row.activities.map((activity) => inWordsOf(activity, timesIn(time_zone))),
  device: row.device_name ?? '',
  person,
  time,
  time_zone,
});

export interface QuestionDeps extends Pick<Kernel, 'notify'> {
  incidents: { get(account: string, incident: string, connection: Trx): Promise<{ opened: Date } | undefined> };
  facts: Pick<HoldFactStore, 'deviceWords'>;
  authority: Pick<Authority, 'provenOf'>;
  activeGuardians(account: string, trx: Trx): Promise<{ name: string; accepted: Date | null }[]>;
}

/** Asks the guardians about a new request (P10.1), and names those who may answer. */
export function guardianQuestions({ incidents, facts, authority, notify, activeGuardians }: QuestionDeps) {
  return async (trx: Trx, row: RequestRow): Promise<void> => {
    const { account, incident } = row;
    const { person, time_zone } = await facts.deviceWords(trx, account, row.device);
    const about = incident ? ((await incidents.get(account, incident, trx))?.opened ?? row.time) : row.time;
    const proven = await authority.provenOf(account, await activeGuardians(account, trx), about, trx);
    const able = proven.map(({ name }) => firstName(name));
    await notify(trx, account, {
      kind: 'held_request',
      facts: { ...requestFacts(row, person, time_zone, row.time), cause: row.cause, can_answer: able.length > 0, asked: able },
    });
  };
}
