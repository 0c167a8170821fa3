import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { Notice, Store } from '../state/store.ts';

/** How often the notice is read, and its remaining time persisted. */
const POLL_MS = 2000;
const PERSIST_MS = 60_000;

export interface LeaveNoticesDeps {
  store: Pick<Store, 'notice' | 'setNotice' | 'pendingNews'>;
  readClock: () => ClockReading;
  device: () => string | null;
  /** A notice came or went: the server should know. */
  begun: () => void;
  leave: () => Promise<void>;
  failed: (why: unknown) => void;
}

export interface LeaveNotices {
  /** Milliseconds until this computer leaves its account; null without a notice. */
  leavesIn(): number | null;
  /** Answers whether there was a notice. */
  takeBack(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * The notice of an administrator that this computer leaves its account (P10.8), left in the folder by a command beside the agent. The day begins when
 * the server has it, so that the holder knows for a day; neither a restart nor the clock shortens it.
 */
export async function notices({ store, readClock, device, begun, leave, failed }: LeaveNoticesDeps): Promise<LeaveNotices> {
  const before = await store.notice();
  let now: Notice | null = before?.device === device() ? before : null;
  let persistedAt = readClock().up;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.catch(() => {}).then(work);
    last = mine;
    return mine;
  };
  const persist = (next: Notice) => {
    persistedAt = readClock().up;
    now = next;
    return store.setNotice(next);
  };
  const poll = async () => {
    const found = await store.notice();
    const had = now?.news;
    now = found?.device === device() ? found : null;
    if (now?.news !== had) begun();
    if (!now) return;
    const { span, news } = now;
    const at = readClock();
    if (!span) {
      const waits = (await store.pendingNews()).some(({ uuid }) => uuid === news);
      if (!waits) await persist({ ...now, span: beginSpan(at, agentLimits.leave_notice) });
      return;
    }
    if (leftOf(span, at, 'latest') === 0) {
      await leave();
      await store.setNotice(null);
      now = null;
    } else if (Math.abs(at.up - persistedAt) >= PERSIST_MS) await persist({ ...now, span: seenSpan(span, at, 'latest') });
  };
  const pollNow = () => inTurn(poll).catch(failed);
  const polling = setInterval(() => void pollNow(), POLL_MS);
  return {
    leavesIn: () => now && (now.span ? leftOf(now.span, readClock(), 'latest') : agentLimits.leave_notice),
    takeBack: () =>
      inTurn(async () => {
        const had = now !== null;
        await store.setNotice(null);
        now = null;
        return had;
      }),
    async close() {
      clearInterval(polling);
      await last.catch(() => {});
    },
  };
}
