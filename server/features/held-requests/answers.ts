import type { AnswerRefusal } from '@porchlight/contract/may-answer.ts';
import { hour } from '@porchlight/contract/time.ts';
import { isAboutProgram } from '@porchlight/contract/words/waiting.ts';
import type { DoneActivity } from '../../db/incident-tables.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Answerer, Authority, CheckCode, Reader, RequireProof, SuspensionLookup, WaitingEntries } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { LetThrough, RequestAnsweredFacts } from '../../notifications/render/held-request/outcomes.ts';
import { letsThrough, requestFacts } from './ask-guardians.ts';
import type { AllowedProgram, HoldFactStore } from './fact-store.ts';
import type { HoldDeps } from './holds.ts';
import { makeCallLater } from './request-calls.ts';
import { type RequestRow, type RequestStore, requestState } from './request-store.ts';

export interface RequestAnswerDeps extends Pick<Kernel, 'db' | 'clock' | 'notify' | 'weaken' | 'events' | 'enqueue'> {
  incidents: Pick<HoldDeps['incidents'], 'pressedAlone'>;
  requests: RequestStore;
  facts: HoldFactStore;
  authority: Pick<Authority, 'ofRequest'>;
  requireProof: RequireProof;
  checkCode: CheckCode;
  takeBack(trx: Trx, account: string, activities: DoneActivity[], by: string): Promise<boolean>;
  suspended: RequestSuspension;
  entries: Pick<WaitingEntries, 'letRun' | 'refuse'>;
  /** Stores what the agent is to do with a start that waits (P12.3, P12.4, P12.6). */
  answerStart(trx: Trx, device: string, identifier: string, answer: 'yes' | 'no'): Promise<unknown>;
  /** Allows a definition on the device until a time. Throws `already_allowed` and `exception_limit`. Returns the entry's id. */
  allow(trx: Trx, account: string, device: string, identifier: string, until: Date): Promise<string>;
}

/** Why a yes to a program would not let it run now, so that nobody may say it; null: it would. */
export type RequestSuspension = (row: RequestRow, connection: Db | Trx) => Promise<AnswerRefusal | null>;

/** A start that waits goes on with a yes on a computer's first day too: only a stop suspends what was answered about it. */
export const suspendedRequests =
  (suspensionAt: SuspensionLookup): RequestSuspension =>
  async ({ account, device, cause }, connection) => {
    const found = device !== null && isAboutProgram(cause) ? await suspensionAt(account, device, connection) : null;
    return found && (cause !== 'waiting' || found.reason === 'stopped') ? found : null;
  };

/** How long a yes allows a program: for an hour, or as it had been added. */
type Lasts = 'hour' | 'always';
type Refuser = Answerer & { account: string };

export type RequestAnswers = ReturnType<typeof requestAnswers>;

/** *Stop this* must not be a way to stay a guardian. */
const ownRemovalWords = 'You pressed Stop this, so someone else must answer about removing you.';
const isOwnRemoval = (row: RequestRow, { person }: Refuser) => row.activities.some(({ guardian }) => guardian === person);

/** What ran after a yes cannot be taken back. */
const hasRun = ({ activities }: RequestRow) => activities.some(({ kind }) => kind === 'run');

/** The answers of holders and guardians to requests (P10.2). */
export function requestAnswers(deps: RequestAnswerDeps) {
  const { db, clock, incidents, requests, facts, authority, requireProof, notify } = deps;

  const notifyAnswered = async (
    trx: Trx,
    reader: Refuser,
    row: RequestRow,
    result: Pick<RequestAnsweredFacts, 'answer' | 'undone' | 'remains' | 'removed'> & { lets?: LetThrough },
  ) => {
    const { person, time_zone } = await facts.deviceWords(trx, reader.account, row.device);
    const by = { by: reader.name, by_person: reader.person };
    await notify(trx, reader.account, {
      kind: 'request_answered',
      facts: { ...requestFacts(row, person, time_zone, clock.now()), ...by, lets: letsThrough(row), ...result },
    });
  };

  /** The agent lets a start that waits go on, or ends it, when it has the policy. */
  const answerStart = async (trx: Trx, reader: Refuser, { device, activities }: RequestRow, answer: 'yes' | 'no') => {
    const identifier = activities[0]?.identifier;
    if (device === null || identifier === undefined) return;
    await deps.answerStart(trx, device, identifier, answer);
    await deps.events.emit(trx, 'policy_changed', { account: reader.account, device });
  };

  const entryOf = async (trx: Trx, device: string, identifier: string) => (await facts.allowedAt(trx, device)).get(identifier);

  /** The allow-list entry whose program waited says who refused it. Returns whether there was one. */
  const refuseEntry = async (trx: Trx, reader: Refuser, { device, activities }: RequestRow): Promise<boolean> => {
    const identifier = activities[0]?.identifier;
    if (device === null || identifier === undefined) return false;
    const entry = await entryOf(trx, device, identifier);
    if (!entry?.waits_entry) return false;
    await deps.entries.refuse(trx, reader.account, device, entry.id, reader.name);
    return true;
  };

  /** A no is always possible: it only strengthens, and wins over a yes for 24 hours, also over a used one. */
  const sayNo = async (trx: Trx, reader: Refuser, row: RequestRow) => {
    const state = requestState(row, clock.now());
    const isDone = state === 'done' && row.done !== null && after(row.done, 24 * hour) > clock.now();
    if (!isDone && state !== 'open' && state !== 'yes') fail('request_closed');
    await requests.answer(trx, row.uuid, 'no', reader);
    await requests.forgetCall(trx, row.uuid);
    if (row.cause === 'waiting') await answerStart(trx, reader, row, 'no');
    const isUndone = isDone && !hasRun(row) && (await deps.takeBack(trx, reader.account, row.done_activities ?? [], reader.name));
    const removed = !isDone && row.cause === 'first_hour' && (await refuseEntry(trx, reader, row));
    if (isUndone) await requests.markUndone(trx, row.uuid);
    await notifyAnswered(trx, reader, row, { answer: 'no', undone: isUndone, remains: isDone && !isUndone, removed });
  };

  /** A no to all that waits or was opened and is not used yet, except the guardian's own removal (P10.6). */
  const refuseAll = async (trx: Trx, reader: Refuser) => {
    for (const row of await requests.refusable(trx, reader.account)) if (!isOwnRemoval(row, reader)) await sayNo(trx, reader, row);
  };

  /** The program of an entry does not wait any longer. Returns the entry's id. */
  const letRun = async (
    trx: Trx,
    { account }: Refuser,
    device: string,
    { id, waits_entry }: { id: string; waits_entry: string },
    until: Date | null,
  ): Promise<string> => {
    await deps.entries.letRun(trx, account, device, id, until);
    await facts.agree(trx, waits_entry);
    return id;
  };

  /** `entry`: of the program, if there is one. Returns the id of the activity-log entry. */
  const allowHourOf = async (
    trx: Trx,
    reader: Reader,
    device: { uuid: string; name: string },
    program: { identifier: string; name: string },
    entry: AllowedProgram | undefined,
  ): Promise<string> => {
    const until = after(clock.now(), hour);
    const exception = await (entry?.waits_entry
      ? letRun(trx, reader, device.uuid, { id: entry.id, waits_entry: entry.waits_entry }, until)
      : deps.allow(trx, reader.account, device.uuid, program.identifier, until));
    const activity = { kind: 'allowed', device, what: program.name, remote_control: true, before: { exception } } as const;
    return deps.weaken(trx, reader.account, activity, reader.kind === 'guardian' ? { by: reader.name } : {});
  };

  /** No call waits that would be made again, so the yes itself allows the program: for an hour, or as it had been added. */
  const allowWanted = async (trx: Trx, reader: Reader, row: RequestRow, lasts: Lasts): Promise<LetThrough> => {
    const { uuid, device, device_name, activities } = row;
    const { identifier, what, lasting } = activities[0] ?? {};
    if (device === null || identifier === undefined) return 'program';
    const known = await entryOf(trx, device, identifier);
    if (lasts === 'always' && lasting && known?.waits_entry) {
      await letRun(trx, reader, device, { id: known.id, waits_entry: known.waits_entry }, null);
      await requests.markDone(trx, uuid, [{ kind: 'allowed', entry: known.waits_entry }]);
      return 'lasting_program';
    }
    const program = { identifier, name: what || identifier };
    // Allowed meanwhile, such as by *Allow for an hour*.
    const isAllowed = known?.waits_entry === null;
    const entry = isAllowed ? null : await allowHourOf(trx, reader, { uuid: device, name: device_name ?? '' }, program, known);
    await requests.markDone(trx, uuid, entry === null ? [] : [{ kind: 'allowed', entry }]);
    return 'program';
  };

  return {
    refuseAll,

    /** Returns the id of the activity-log entry. */
    allowHour: async (trx: Trx, reader: Reader, device: { uuid: string; name: string }, program: { identifier: string; name: string }) =>
      allowHourOf(trx, reader, device, program, await entryOf(trx, device.uuid, program.identifier)),

    async answer(reader: Reader, uuid: string, { answer, lasts, code }: { answer: 'yes' | 'no'; lasts: Lasts; code?: string | undefined }) {
      const useCode = await deps.checkCode(reader, code);
      return db.transaction().execute(async (trx) => {
        const row = (await requests.locked(trx, reader.account, uuid)) ?? fail('not_found');
        if (answer === 'no') {
          const isLonePress = isOwnRemoval(row, reader) && (await incidents.pressedAlone(reader.account, reader.person, trx));
          return isLonePress ? fail('may_not_answer', { words: ownRemovalWords }) : sayNo(trx, reader, row);
        }
        if (requestState(row, clock.now()) !== 'open') fail('request_closed');
        const suspended = await deps.suspended(row, trx);
        if (suspended) fail('may_not_answer', { words: suspended.why });
        await requireProof(trx, await authority.ofRequest(reader, row, trx), useCode);
        await requests.answer(trx, row.uuid, 'yes', reader);
        let lets = letsThrough(row);
        if (row.cause === 'waiting') {
          await answerStart(trx, reader, row, 'yes');
          await requests.markDone(trx, row.uuid, []);
        } else if (isAboutProgram(row.cause)) lets = await allowWanted(trx, reader, row, lasts);
        else await makeCallLater(deps, trx, row);
        await notifyAnswered(trx, reader, row, { answer: 'yes', undone: false, remains: false, lets });
      });
    },
  };
}
