import type { Person } from '@porchlight/contract/devices.ts';
import { inWordsOf } from '@porchlight/contract/words/activity-subject.ts';
import { isAboutProgram } from '@porchlight/contract/words/waiting.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Authority } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import type { LetThrough } from '../../notifications/render/held-request/outcomes.ts';
import { firstName, timesIn } from '../../texts/formatting.ts';
import type { HoldFactStore } from './fact-store.ts';
import type { RequestRow } from './request-store.ts';

/** What a yes to the request lets through, for messages. */
export const letsThrough = ({ cause, sealed_call, activities }: RequestRow): LetThrough => {
  if (!isAboutProgram(cause)) return sealed_call === null ? 'by_caller' : 'by_server';
  return activities[0]?.kind === 'run' ? 'start' : 'program';
};

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

export interface AnsweringDeps {
  incidents: { get(account: string, incident: string, connection: Db | Trx): Promise<{ opened: Date } | undefined> };
  authority: Pick<Authority, 'provenOf'>;
  activeGuardians(account: string, connection: Db | Trx): Promise<{ name: string; accepted: Date | null }[]>;
}

/** `asked`: the first names of the guardians whose yes to the request counts now. `unproven`: there are guardians, and nobody's counts yet. */
export interface Answering {
  asked: string[];
  unproven: boolean;
}

export async function answeringOf(
  { incidents, authority, activeGuardians }: AnsweringDeps,
  { account, incident, time }: Pick<RequestRow, 'account' | 'incident' | 'time'>,
  connection: Db | Trx,
): Promise<Answering> {
  const guardians = await activeGuardians(account, connection);
  const about = (incident && (await incidents.get(account, incident, connection))?.opened) || time;
  const proven = await authority.provenOf(account, guardians, about, connection);
  return { asked: proven.map(({ name }) => firstName(name)), unproven: guardians.length > 0 && proven.length === 0 };
}

export interface QuestionDeps extends Pick<Kernel, 'notify'>, AnsweringDeps {
  facts: Pick<HoldFactStore, 'deviceWords'>;
}

/** Asks the guardians about a new request (P10.1), and returns who may answer. */
export function guardianQuestions({ facts, notify, ...deps }: QuestionDeps) {
  return async (trx: Trx, row: RequestRow): Promise<Answering> => {
    const { person, time_zone } = await facts.deviceWords(trx, row.account, row.device);
    const answering = await answeringOf(deps, row, trx);
    const { asked } = answering;
    await notify(trx, row.account, {
      kind: 'held_request',
      facts: { ...requestFacts(row, person, time_zone, row.time), cause: row.cause, can_answer: asked.length > 0, asked },
    });
    return answering;
  };
}
