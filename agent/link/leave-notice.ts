import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { Notice, Store } from '../state/store.ts';

const POLL_MS = 2000;
const PERSIST_MS = 60_000;

export interface LeaveNoticesDeps {
  store: Pick<Store, 'notice' | 'setNotice' | 'pendingEvents'>;
  readClock: () => ClockReading;
  device: () => string | null;
  noticeChanged: () => void;
  leave: () => Promise<void>;
  failed: (why: unknown) => void;
}

export interface LeaveNotices {
  leavesIn(): number | null;
  cancel(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * An administrator's notice, written by a separate command, that this computer leaves its account after a day (P10.8). The day begins when
 * the server has the notice, so that the holder has a full day; neither a restart nor the clock shortens it.
 */
export async function leaveNotices({ store, readClock, device, noticeChanged, leave, failed }: LeaveNoticesDeps): Promise<LeaveNotices> {
  const initialNotice = await store.notice();
  let notice: Notice | null = initialNotice?.device === device() ? initialNotice : null;
  let persistedAt = readClock().up;
  let lastTurn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastTurn.catch(() => {}).then(work);
    lastTurn = turn;
    return turn;
  };
  const persist = (nextNotice: Notice) => {
    persistedAt = readClock().up;
    notice = nextNotice;
    return store.setNotice(nextNotice);
  };
  const poll = async () => {
    const storedNotice = await store.notice();
    const formerEvents = notice?.event;
    notice = storedNotice?.device === device() ? storedNotice : null;
    if (notice?.event !== formerEvents) noticeChanged();
    if (!notice) return;
    const { span, event } = notice;
    const reading = readClock();
    if (!span) {
      const waits = (await store.pendingEvents()).some(({ uuid }) => uuid === event);
      if (!waits) await persist({ ...notice, span: beginSpan(reading, agentLimits.leave_notice) });
      return;
    }
    if (leftOf(span, reading, 'latest') === 0) {
      await leave();
      await store.setNotice(null);
      notice = null;
    } else if (Math.abs(reading.up - persistedAt) >= PERSIST_MS) await persist({ ...notice, span: seenSpan(span, reading, 'latest') });
  };
  const pollNow = () => inTurn(poll).catch(failed);
  const polling = setInterval(() => void pollNow(), POLL_MS);
  return {
    leavesIn: () => notice && (notice.span ? leftOf(notice.span, readClock(), 'latest') : agentLimits.leave_notice),
    cancel: () =>
      inTurn(async () => {
        const hadNotice = notice !== null;
        await store.setNotice(null);
        notice = null;
        return hadNotice;
      }),
    async close() {
      clearInterval(polling);
      await lastTurn.catch(() => {});
    },
  };
}
