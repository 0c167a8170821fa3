import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import type { ErrorCode } from '@porchlight/contract/errors.ts';
import { errors } from '@porchlight/contract/errors.ts';
import type { Trx } from '../../db/open.ts';
import type { MakeOwnCall } from '../../http/own-calls.ts';
import type { CallContent } from '../../http/weakening-call.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import type { Sealer } from '../../secrets/seal.ts';
import { requestFacts } from './ask-guardians.ts';
import { proofs } from './call-mac.ts';
import type { CallsWait } from './calls-wait.ts';
import { type HoldFactStore, showsPin } from './fact-store.ts';
import { passesAt, type RequestRow, type RequestStore, requestEnds, requestState } from './request-store.ts';

/** A screen that waits asks every few seconds, and makes the call itself, since its form needs the answer. After this time the server does it. */
export const screen_first = 15_000;

interface StoredCall {
  method: string;
  path: string;
  body: unknown;
}

/**
 * The call as it is stored until somebody answers, without what proves its caller. Null for a call that only its caller can make: the answer to it is
 * what they want, such as the Admin PIN, or it has a new password, which is never stored.
 */
export function sealedCall(sealer: Pick<Sealer, 'seal'>, { endpoint, path, body }: CallContent, kinds: ActivityKind[]): string | null {
  const fields = Object.entries((body ?? {}) as object);
  if (kinds.some(showsPin) || fields.some(([name]) => name === 'password')) return null;
  const stored = body === undefined || body === null ? undefined : Object.fromEntries(fields.filter(([name]) => !proofs.has(name)));
  return sealer.seal(JSON.stringify({ method: endpoint.split(' ')[0] ?? '', path, body: stored } satisfies StoredCall));
}

type Enqueue = Pick<Kernel, 'clock' | 'enqueue'>;

/** Queues the call of a request that somebody has let through. */
export const makeCallLater = async ({ clock, enqueue }: Enqueue, trx: Trx, { uuid, account, sealed_call }: RequestRow): Promise<void> => {
  if (sealed_call === null) return;
  const due = after(clock.now(), screen_first);
  await enqueue(trx, 'request_call', `request-call:${uuid}:${due.toISOString()}`, { request: uuid, account }, due);
};

/** Queues what happens without an answer: when the call passes with the password, and when the request lapses, which is often the same time. */
export async function endLater({ enqueue }: Pick<Kernel, 'enqueue'>, trx: Trx, row: RequestRow): Promise<void> {
  for (const due of [passesAt(row), requestEnds(row)]) {
    const job = { request: row.uuid, account: row.account };
    await enqueue(trx, 'request_unanswered', `request-unanswered:${row.uuid}:${due.toISOString()}`, job, due);
  }
}

export interface RequestCallDeps extends Pick<Kernel, 'db' | 'clock' | 'notify'> {
  sealer: Pick<Sealer, 'open'>;
  requests: RequestStore;
  facts: Pick<HoldFactStore, 'deviceWords'>;
  callsWait: CallsWait;
  makeOwnCall: MakeOwnCall;
}

/** Statuses of answers after which the same call may succeed later. */
const isPassing = (status: number) => status === 429 || status >= 500;

/** What becomes of a request when no screen waits for it any more (P15.8). */
export function requestCallJobs({ db, clock, notify, sealer, requests, facts, callsWait, makeOwnCall }: RequestCallDeps) {
  const endedWith = async (
    trx: Trx,
    row: RequestRow,
    end: { kind: 'impossible'; failure: ErrorCode } | { kind: 'unanswered'; after: 'hour' | 'day' },
  ) => {
    const { person, time_zone } = await facts.deviceWords(trx, row.account, row.device);
    await notify(trx, row.account, { kind: 'request_ended', facts: { ...requestFacts(row, person, time_zone, clock.now()), end } });
  };

  return {
    /** Makes the call once. It marks the request as done itself, in the gate; what no longer fits ends the request, with a message. */
    async request_call({ request, account }: { request: string; account: string }): Promise<void> {
      const row = await requests.get(account, request);
      if (!row?.sealed_call) return;
      const call = JSON.parse(sealer.open(row.sealed_call)) as StoredCall;
      const { status, body } = await makeOwnCall({ account, request }, call);
      if (isPassing(status)) throw new Error(`the call of a held request was answered with ${status}`);
      await db.transaction().execute(async (trx) => {
        const current = await requests.locked(trx, account, request);
        if (!current || requestState(current, clock.now()) !== 'yes') return;
        // Nothing was left to do, such as removing what is not there any more.
        if (status < 300) return requests.markDone(trx, request, []);
        const failure = isErrorCode(body?.code) ? body.code : 'not_found';
        await requests.markFailed(trx, request, failure);
        await endedWith(trx, current, { kind: 'impossible', failure });
      });
    },

    /**
     * Nobody has answered: the holder can go on with the password, and has one email about it. There is none where somebody has answered, or nothing
     * waits any more. A request that has lapsed has no call.
     */
    request_unanswered: ({ request, account }: { request: string; account: string }) =>
      db.transaction().execute(async (trx) => {
        const row = await requests.locked(trx, account, request);
        if (!row) return;
        const state = requestState(row, clock.now());
        if (state === 'lapsed') await requests.forgetCall(trx, request);
        if ((state !== 'lapsed' && state !== 'open') || row.answers.length > 0 || row.lifted || !(await callsWait(account, trx))) return;
        await endedWith(trx, row, { kind: 'unanswered', after: row.rule });
      }),
  };
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(errors, code);
