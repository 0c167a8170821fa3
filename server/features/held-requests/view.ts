import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import type { EventFacts } from '@porchlight/contract/incident-events.ts';
import { hour } from '@porchlight/contract/time.ts';
import { requestSentences } from '@porchlight/contract/words/requests.ts';
import { isAboutProgram } from '@porchlight/contract/words/waiting.ts';
import type { Authority, Reader, RequestsOnPage, RequestsOnPageLookup } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { type QuotedHolder, type Quoter, quotedActivity } from '../../notifications/quoted-facts.ts';
import { firstName, timesIn } from '../../texts/formatting.ts';
import type { RequestSuspension } from './answers.ts';
import { type AnsweringDeps, answeringOf } from './ask-guardians.ts';
import type { CallsWait } from './calls-wait.ts';
import type { HoldFactStore } from './fact-store.ts';
import { becauseForGuardian, becauseOf } from './hold-words.ts';
import { isWaiting, passesAt, type RequestRow, type RequestStore, requestEnds, requestState } from './request-store.ts';

export interface RequestViewDeps extends Pick<Kernel, 'db' | 'clock'>, Omit<AnsweringDeps, 'authority'> {
  requests: RequestStore;
  facts: Pick<HoldFactStore, 'deviceWords'>;
  authority: Pick<Authority, 'ofRequest' | 'provenOf'>;
  callsWait: CallsWait;
  suspended: RequestSuspension;
  quotedHolder(account: string): Promise<QuotedHolder>;
}

/** Read once for all requests of a page. `calls_wait`: whether weakening calls of the account wait now. */
interface AccountFacts {
  /** The first name, as messages quote it. */
  holder: string;
  quoter: Quoter;
  calls_wait: boolean;
}

export type RequestViews = ReturnType<typeof requestViews>;

const iso = (time: Date) => time.toISOString();

/** What the holder and the guardians see of requests (P10.2). */
export function requestViews(deps: RequestViewDeps) {
  const { db, clock, requests, facts, authority } = deps;

  const factsOf = async (account: string, { holder, quoter }: QuotedHolder): Promise<AccountFacts> => ({
    quoter,
    holder: firstName(holder),
    calls_wait: await deps.callsWait(account),
  });

  const requestOf = async (reader: Reader, row: RequestRow, { holder, calls_wait, quoter }: AccountFacts): Promise<HeldRequest> => {
    const now = clock.now();
    const isHolder = reader.kind === 'holder';
    const state = requestState(row, now);
    const isFree = state === 'open' && !calls_wait && !isAboutProgram(row.cause);
    // After an answer nobody is asked any more.
    const answering = state === 'open' ? await answeringOf(deps, row, db) : { asked: [], unproven: false };
    const canPass = passesAt(row) <= now;
    const { time_zone } = await facts.deviceWords(db, reader.account, row.device);
    const who = isHolder ? 'You' : holder;
    const activities = row.activities.map((activity) => quotedActivity(quoter, activity));
    return {
      uuid: row.uuid,
      incident: row.incident,
      state: isFree ? 'free' : state,
      wants: requestSentences({ activities, who }, timesIn(time_zone)),
      ...{ activities, who, cause: row.cause, rule: row.rule },
      device: row.device,
      device_name: row.device_name && quoter.name(row.device_name, 'device'),
      time: iso(row.time),
      until: iso(requestEnds(row)),
      passes: iso(passesAt(row)),
      answers: row.answers.map((answer) => ({
        by: answer.name,
        you: answer.person === reader.person,
        time: iso(answer.time),
        answer: answer.answer,
      })),
      lifted: row.lifted && iso(row.lifted),
      ...answering,
      because: isHolder ? becauseOf(row, { ...answering, needs_password: canPass, now, time_zone }) : becauseForGuardian(row, holder, now),
      by_server: row.sealed_call !== null,
      may_last: state === 'open' && row.activities[0]?.lasting === true,
      mine: (state === 'open' ? await deps.suspended(row, db) : null) ?? (await authority.ofRequest(reader, row)),
    };
  };

  const viewsOf = async (reader: Reader, rows: RequestRow[], quoted?: QuotedHolder): Promise<HeldRequest[]> => {
    if (!rows.length) return [];
    const known = await factsOf(reader.account, quoted ?? (await deps.quotedHolder(reader.account)));
    return Promise.all(rows.map((row) => requestOf(reader, row, known)));
  };

  const onPage: RequestsOnPageLookup = async (reader, incident, quoted) => {
    const rows = await requests.ofIncident(incident);
    return {
      uuids: rows.map(({ uuid }) => uuid),
      views: await viewsOf(reader, rows, quoted),
      events: rows.flatMap((row) => eventsOfRequest(row, firstName(quoted.holder))),
    };
  };

  return {
    onPage,

    /** Null if there is none. */
    of: async (reader: Reader, uuid: string): Promise<HeldRequest | null> => {
      const row = await requests.get(reader.account, uuid);
      return row ? ((await viewsOf(reader, [row]))[0] ?? null) : null;
    },

    /** Those that wait, and those that ended within the hour. */
    current: async (reader: Reader): Promise<HeldRequest[]> =>
      viewsOf(
        reader,
        (await requests.recentOf(reader.account)).filter(
          (row) => isWaiting(row, clock.now()) || after(lastChangeOf(row), ended_shown) > clock.now(),
        ),
      ),

    /** Those of the last day, the newest first. */
    recent: async (reader: Reader): Promise<HeldRequest[]> => viewsOf(reader, (await requests.recentOf(reader.account)).slice(0, 20)),
  };
}

/** How long the end of a request is shown on home. */
const ended_shown = hour;

const lastChangeOf = ({ answers, done, failed, undone, time }: RequestRow): Date =>
  new Date(Math.max(...[...answers.map((answer) => answer.time), done, failed, undone, time].map((one) => one?.getTime() ?? 0)));

/** Its lines in the time line of an incident. `who`: the holder's first name. */
function eventsOfRequest({ activities, answers, lifted, ...row }: RequestRow, who: string): RequestsOnPage['events'] {
  const at = (time: Date | null, event: Extract<EventFacts, { activities: unknown }>['event']): RequestsOnPage['events'] =>
    time ? [{ time, kind: 'request', facts: { event, who, activities } }] : [];
  const hasYes = answers.some(({ answer }) => answer === 'yes');
  return [
    ...at(row.time, 'requested'),
    ...answers.map(({ time, name, answer }) => ({ time, kind: 'answer' as const, facts: { event: 'answer' as const, name, answer } })),
    ...at(lifted, 'lifted'),
    ...at(row.done, hasYes ? 'done' : lifted ? 'done_lifted' : 'passed'),
    ...at(row.failed, 'impossible'),
    ...at(row.undone, 'undone'),
  ];
}
