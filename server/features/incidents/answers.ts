import type { IncidentStep } from '@porchlight/contract/incidents.ts';
import { hour } from '@porchlight/contract/time.ts';
import { isAboutProgram } from '@porchlight/contract/words/waiting.ts';
import type { DoneActivity } from '../../db/incident-tables.ts';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { RequestAnsweredFacts } from '../../notifications/render/held-request/outcomes.ts';
import type { Authority, Reader, RequireProof, UseCode } from '../../ports.ts';
import { letsThrough, requestFacts } from './ask-guardians.ts';
import type { HoldFactStore } from './fact-store.ts';
import { makeCallLater } from './request-calls.ts';
import { type RequestRow, type RequestStore, requestState } from './request-store.ts';
import { type IncidentRow, type IncidentStore, stateOf } from './store.ts';

/** The program that an incident stopped and that can be allowed for an hour. */
export interface Stopped {
  identifier: string;
  name: string;
}

export interface AnswerDeps extends Pick<Kernel, 'db' | 'clock' | 'notify' | 'weaken' | 'events' | 'enqueue'> {
  incidents: IncidentStore;
  requests: RequestStore;
  facts: HoldFactStore;
  authority: Authority;
  requireProof: RequireProof;
  /** Call it before the answer's transaction, since wrong attempts stay counted; the returned function uses up the code within it. */
  checkCode(reader: Reader, code: string): Promise<NonNullable<UseCode>>;
  takeBack(trx: Trx, account: string, activities: DoneActivity[]): Promise<boolean>;
  /** Stores *I’m on it* of a locked incident, and ends its escalation if this person may (P11.1). */
  onIt(trx: Trx, incident: string, who: { person: string; name: string }): Promise<void>;
  /** What waits for the end of the incident takes effect. */
  ended(trx: Trx, incident: IncidentRow): Promise<void>;
  stoppedIn(incident: IncidentRow): Promise<Stopped | null>;
  /** Stores what the agent is to do with a start that waits (P12.3, P12.4, P12.6). */
  answerStart(trx: Trx, device: string, identifier: string, answer: 'yes' | 'no'): Promise<unknown>;
  /** Allows a definition on the device until a time. Throws `already_allowed` and `exception_limit`. Returns the entry's id. */
  allow(trx: Trx, account: string, device: string, identifier: string, until: Date): Promise<string>;
}

type Refuser = Pick<Reader, 'account' | 'person' | 'name'>;

export type Answers = ReturnType<typeof incidentAnswers>;

/** *Stop this* must not be a way to stay a guardian. */
const ownRemovalWords = 'You pressed Stop this, so someone else must answer about removing you.';
const isOwnRemoval = (row: RequestRow, { person }: Refuser) => row.activities.some(({ guardian }) => guardian === person);

/** What ran after a yes cannot be taken back. */
const hasRun = ({ activities }: RequestRow) => activities.some(({ kind }) => kind === 'run');

/** The answers of holders and guardians to requests and incidents (P10.2). */
export function incidentAnswers(deps: AnswerDeps) {
  const { db, clock, incidents, requests, facts, authority, requireProof, notify } = deps;

  const notifyAnswered = async (
    trx: Trx,
    reader: Refuser,
    row: RequestRow,
    result: Pick<RequestAnsweredFacts, 'answer' | 'undone' | 'remains'>,
  ) => {
    const { person, time_zone } = await facts.deviceWords(trx, reader.account, row.device);
    const by = { by: reader.name, by_person: reader.person };
    await notify(trx, reader.account, {
      kind: 'request_answered',
      facts: { ...requestFacts(row, person, time_zone, clock.now()), ...by, ...result, lets: letsThrough(row) },
    });
  };

  /** The agent lets a start that waits go on, or ends it, when it has the policy. */
  const answerStart = async (trx: Trx, reader: Refuser, { device, activities }: RequestRow, answer: 'yes' | 'no') => {
    const identifier = activities[0]?.identifier;
    if (device === null || identifier === undefined) return;
    await deps.answerStart(trx, device, identifier, answer);
    await deps.events.emit(trx, 'policy_changed', { account: reader.account, device });
  };

  /** A no is always possible: it only strengthens, and wins over a yes for 24 hours, also over a used one. */
  const sayNo = async (trx: Trx, reader: Refuser, row: RequestRow) => {
    const state = requestState(row, clock.now());
    const isDone = state === 'done' && row.done !== null && after(row.done, 24 * hour) > clock.now();
    if (!isDone && state !== 'open' && state !== 'yes') fail('request_closed');
    await requests.answer(trx, row.uuid, 'no', reader);
    await requests.forgetCall(trx, row.uuid);
    if (row.cause === 'waiting') await answerStart(trx, reader, row, 'no');
    const isUndone = isDone && !hasRun(row) && (await deps.takeBack(trx, reader.account, row.done_activities ?? []));
    if (isUndone) await requests.markUndone(trx, row.uuid);
    await notifyAnswered(trx, reader, row, { answer: 'no', undone: isUndone, remains: isDone && !isUndone });
  };

  /** A no to all that waits or was opened and is not used yet, except the guardian's own removal (P10.6). */
  const refuseAll = async (trx: Trx, reader: Refuser) => {
    for (const row of await requests.refusable(trx, reader.account)) if (!isOwnRemoval(row, reader)) await sayNo(trx, reader, row);
  };

  /** Returns the id of the activity-log entry. */
  const allowHour = async (trx: Trx, reader: Reader, device: { uuid: string; name: string }, program: Stopped): Promise<string> => {
    const exception = await deps.allow(trx, reader.account, device.uuid, program.identifier, after(clock.now(), hour));
    const activity = { kind: 'allowed', device, what: program.name, remote_control: true, before: { exception } } as const;
    return deps.weaken(trx, reader.account, activity, reader.kind === 'guardian' ? { by: reader.name } : {});
  };

  /** No call waits that would be made again, so the yes itself allows the program. */
  const allowWanted = async (trx: Trx, reader: Reader, { uuid, device, device_name, activities }: RequestRow) => {
    const { identifier, what } = activities[0] ?? {};
    if (device === null || identifier === undefined) return;
    const program = { identifier, name: what || identifier };
    // Allowed meanwhile, such as by *Allow for an hour*.
    const isAllowed = (await facts.rulesOf(trx, device)).allowed.has(identifier);
    const entry = isAllowed ? null : await allowHour(trx, reader, { uuid: device, name: device_name ?? '' }, program);
    await requests.markDone(trx, uuid, entry === null ? [] : [{ kind: 'allowed', entry }]);
  };

  const checked = async (reader: Reader, code: string | undefined): Promise<UseCode> =>
    code === undefined ? null : deps.checkCode(reader, code);

  return {
    refuseAll,

    async request(reader: Reader, uuid: string, { answer, code }: { answer: 'yes' | 'no'; code?: string | undefined }) {
      const useCode = await checked(reader, code);
      return db.transaction().execute(async (trx) => {
        const row = (await requests.locked(trx, reader.account, uuid)) ?? fail('not_found');
        if (answer === 'no') {
          const isLonePress = isOwnRemoval(row, reader) && (await incidents.pressedAlone(reader.account, reader.person, trx));
          return isLonePress ? fail('may_not_answer', { words: ownRemovalWords }) : sayNo(trx, reader, row);
        }
        if (requestState(row, clock.now()) !== 'open') fail('request_closed');
        await requireProof(trx, await authority.ofRequest(reader, row, trx), useCode);
        await requests.answer(trx, row.uuid, 'yes', reader);
        if (row.cause === 'waiting') {
          await answerStart(trx, reader, row, 'yes');
          await requests.markDone(trx, row.uuid, []);
        } else if (isAboutProgram(row.cause)) await allowWanted(trx, reader, row);
        else await makeCallLater(deps, trx, row);
        await notifyAnswered(trx, reader, row, { answer: 'yes', undone: false, remains: false });
      });
    },

    async incident(
      reader: Reader,
      uuid: string,
      { answer, code }: { answer: 'mine' | 'on_it' | 'over' | 'allow_hour'; code?: string | undefined },
    ): Promise<unknown> {
      const useCode = await checked(reader, code);
      return db.transaction().execute(async (trx) => {
        if (answer === 'over') await facts.lockDevices(trx, reader.account);
        const row = (await incidents.locked(trx, reader.account, uuid)) ?? fail('not_found');
        if (answer === 'mine') return incidents.note(trx, uuid, 'mine', reader);
        if (answer === 'on_it') {
          await requireProof(trx, await authority.ofPlace(reader, row.device, trx), useCode);
          return deps.onIt(trx, uuid, { person: reader.person, name: reader.name });
        }
        if (answer === 'over') {
          if (stateOf(row, clock.now()) !== 'open') return;
          await requireProof(trx, await authority.ofEnd(reader, row, trx), useCode);
          if (await authority.mustWait(reader, row, trx)) return incidents.note(trx, uuid, 'over_asked', reader);
          await incidents.end(trx, uuid, reader);
          await deps.ended(trx, row);
          const { person, time_zone } = await facts.deviceWords(trx, reader.account, row.device);
          const about = { incident: uuid, device: row.device_name, person, time: clock.now(), time_zone };
          return notify(trx, reader.account, { kind: 'incident_over', facts: { ...about, by: reader.name, by_person: reader.person } });
        }
        const stopped = (await deps.stoppedIn(row)) ?? fail('not_found');
        await requireProof(trx, await authority.ofIncident(reader, row, trx), useCode);
        await allowHour(trx, reader, { uuid: row.device, name: row.device_name }, stopped);
      });
    },

    tick: (reader: Reader, uuid: string, step: IncidentStep, done: boolean) =>
      db.transaction().execute(async (trx) => {
        const row = (await incidents.locked(trx, reader.account, uuid)) ?? fail('not_found');
        const tick = { step, from_account: !(await authority.counts(reader, row, trx)) };
        await (done ? incidents.tick(trx, uuid, tick, reader) : incidents.untick(trx, uuid, tick));
      }),

    how: (reader: Reader, uuid: string, how: string) =>
      db.transaction().execute(async (trx) => {
        const row = (await incidents.locked(trx, reader.account, uuid)) ?? fail('not_found');
        if (row.asked_how === null) fail('not_found');
        await incidents.note(trx, uuid, 'how', reader, { what: how });
      }),
  };
}
