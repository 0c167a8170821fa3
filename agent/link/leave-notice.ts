import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { beginSpan, leftOf, type Moment, seenSpan } from '../lib/span.ts';
import type { Notice, Store } from '../state/store.ts';

/** How often it is looked whether there is a notice, and how often what is left of it is written down. In milliseconds. */
const lookEvery = 2000;
const keepEvery = 60_000;

export interface NoticeParts {
  store: Pick<Store, 'notice' | 'setNotice' | 'untold'>;
  moment: () => Moment;
  /** Which device this computer is now. */
  device: () => string | null;
  /** There is a new one, or none any more: the server is to know. */
  begun: () => void;
  /** Its time is over. */
  leave: () => Promise<void>;
  failed: (why: unknown) => void;
}

export interface Notices {
  /** Milliseconds until this computer leaves its account; null while nobody wants that. */
  leavesIn(): number | null;
  /** It stays. Answers whether there was a notice. */
  takeBack(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * That an administrator of the computer wants it to leave its account (P10.8). It was left in the folder by a command, beside the agent. The day begins
 * when the server has the news, so that the holder knows of it for a day; neither a restart nor the clock shortens it.
 */
export async function notices({ store, moment, device, begun, leave, failed }: NoticeParts): Promise<Notices> {
  const before = await store.notice();
  let now: Notice | null = before?.device === device() ? before : null;
  let keptAt = moment().up;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.catch(() => {}).then(work);
    last = mine;
    return mine;
  };
  const keep = (next: Notice) => {
    keptAt = moment().up;
    now = next;
    return store.setNotice(next);
  };
  const look = async () => {
    const found = await store.notice();
    const had = now?.news;
    now = found?.device === device() ? found : null;
    if (now?.news !== had) begun();
    if (!now) return;
    const { span, news } = now;
    const at = moment();
    if (!span) {
      const waits = (await store.untold()).some(({ uuid }) => uuid === news);
      if (!waits) await keep({ ...now, span: beginSpan(at, agentLimits.leave_notice) });
      return;
    }
    if (leftOf(span, at, 'latest') === 0) {
      await leave();
      await store.setNotice(null);
      now = null;
    } else if (Math.abs(at.up - keptAt) >= keepEvery) await keep({ ...now, span: seenSpan(span, at, 'latest') });
  };
  const lookNow = () => inTurn(look).catch(failed);
  const looking = setInterval(() => void lookNow(), lookEvery);
  return {
    leavesIn: () => now && (now.span ? leftOf(now.span, moment(), 'latest') : agentLimits.leave_notice),
    takeBack: () =>
      inTurn(async () => {
        const had = now !== null;
        await store.setNotice(null);
        now = null;
        return had;
      }),
    async close() {
      clearInterval(looking);
      await last.catch(() => {});
    },
  };
}
