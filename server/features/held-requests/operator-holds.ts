import { requestSentences } from '@porchlight/contract/words/requests.ts';
import { isAboutProgram } from '@porchlight/contract/words/waiting.ts';
import type { Trx } from '../../db/open.ts';
import type { HoldSettingsPort } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import type { DeviceRows } from '../../ports.ts';
import { timesIn } from '../../texts/formatting.ts';
import { letsThrough, requestFacts } from './ask-guardians.ts';
import { type CallsWait, callsWait } from './calls-wait.ts';
import { makeCallLater } from './request-calls.ts';
import { passesEnd, type RequestRow, requestEnds, requestState, requestStore } from './request-store.ts';

export interface OperatorHoldDeps extends Pick<Kernel, 'db' | 'clock' | 'notify' | 'enqueue'> {
  settings: Pick<HoldSettingsPort, 'asksFirst'>;
  hasOpenIncident: CallsWait;
  devices: DeviceRows;
}

/**
 * Why a request cannot be lifted. `free`: nothing waits on this account any more, so the call passes when it is made again.
 * `program`: a program waits, and no call. `password`: nobody answered for so long that the call passes with the password.
 */
export type LiftRefusal = 'program' | 'yes' | 'no' | 'done' | 'undone' | 'impossible' | 'lapsed' | 'free' | 'password';

/** `until`: when the lift ends; null where the server makes the call itself, within seconds. */
export type LiftResult = { row: RequestRow; until: Date | null } | { row: RequestRow; refused: LiftRefusal };

/** What the call of a request would do, such as `Ann wants to allow AnyDesk on Den PC.` */
export const wantsOf = ({ activities }: RequestRow, who: string): string => requestSentences({ activities, who }, timesIn('UTC')).join(' ');

/** Held requests for the operator's command, which can let one through (P10.2). It queues the notifications, and the server sends them. */
export function operatorHolds({ db, clock, notify, enqueue, settings, hasOpenIncident, devices }: OperatorHoldDeps) {
  const requests = requestStore(db, clock);
  const waits = callsWait(hasOpenIncident, settings);

  /** Null: it can be lifted. */
  const refusalOf = async (row: RequestRow, trx: Trx): Promise<LiftRefusal | null> => {
    const now = clock.now();
    const state = requestState(row, now);
    if (isAboutProgram(row.cause) && (state === 'open' || state === 'lapsed')) return 'program';
    if (state === 'open') return (await waits(row.account, trx)) ? null : 'free';
    if (state !== 'lapsed') return state;
    const hasNoAnswer = row.answers.length === 0 && row.lifted === null;
    return hasNoAnswer && passesEnd(row) > now ? 'password' : 'lapsed';
  };

  return {
    /** Those that wait or were answered, the oldest first. `account`: null for all accounts. */
    async list(account: string | null): Promise<RequestRow[]> {
      const rows = await requests.unfinished(account);
      const waiting = new Map<string, boolean>();
      for (const { account: one } of rows) if (!waiting.has(one)) waiting.set(one, await waits(one));
      const shown = ['no', 'yes', 'open'];
      return rows.filter((row) => {
        const state = requestState(row, clock.now());
        return shown.includes(state) && (state !== 'open' || waiting.get(row.account));
      });
    },

    /** Lets the call of this request through, and notifies everybody. Null if there is no such request. */
    lift: (uuid: string): Promise<LiftResult | null> =>
      db.transaction().execute(async (trx) => {
        const account = await requests.accountOf(uuid, trx);
        const row = account === null ? undefined : await requests.locked(trx, account, uuid);
        if (!row) return null;
        const refused = await refusalOf(row, trx);
        if (refused) return { row, refused };
        await requests.lift(trx, uuid);
        await makeCallLater({ clock, enqueue }, trx, row);
        const { person, time_zone } = await devices.deviceWords(trx, row.account, row.device);
        await notify(trx, row.account, {
          kind: 'request_lifted',
          facts: { ...requestFacts(row, person, time_zone, clock.now()), lets: letsThrough(row) },
        });
        const lifted = { ...row, lifted: clock.now() };
        return { row: lifted, until: row.sealed_call === null ? requestEnds(lifted) : null };
      }),
  };
}
