import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { FormerAccount } from '../ports.ts';
import type { Store } from '../state/store.ts';

/** How often the remaining time is persisted. A restart lengthens it by no more. */
const PERSIST_MS = 60_000;

export interface FormerAccountDeps {
  store: Pick<Store, 'formerPin' | 'setFormerPin' | 'unknownSince' | 'setUnknownSince'>;
  readClock: () => ClockReading;
  device: () => string | null;
}

export async function formerAccount({ store, readClock, device }: FormerAccountDeps): Promise<FormerAccount> {
  let former = await store.formerPin();
  let unknownSince = await store.unknownSince();
  let kept = readClock().up;
  const pinLeft = () => (former ? leftOf(former.span, readClock(), 'latest') : 0);
  const unknownNow = () => (unknownSince && unknownSince.device === device() ? unknownSince : null);
  return {
    pinLeft,
    pin: () => (former && pinLeft() > 0 ? former.pin : null),
    async removed(pin) {
      former = pin && { pin, span: beginSpan(readClock(), agentLimits.after_account) };
      await store.setFormerPin(former);
    },
    unknownLeft: () => {
      const since = unknownNow();
      return since && leftOf(since.span, readClock(), 'latest');
    },
    async unknown() {
      const since = unknownNow();
      if (since) return leftOf(since.span, readClock(), 'latest') === 0;
      const whose = device();
      if (!whose) return false;
      unknownSince = { device: whose, span: beginSpan(readClock(), agentLimits.after_account) };
      await store.setUnknownSince(unknownSince);
      return false;
    },
    async known() {
      if (!unknownSince) return;
      unknownSince = null;
      await store.setUnknownSince(null);
    },
    async over() {
      if (former) await store.setFormerPin(null);
      if (unknownSince) await store.setUnknownSince(null);
      [former, unknownSince] = [null, null];
    },
    async seen() {
      const at = readClock();
      if (Math.abs(at.up - kept) < PERSIST_MS) return;
      kept = at.up;
      if (former) {
        former = pinLeft() > 0 ? { ...former, span: seenSpan(former.span, at, 'latest') } : null;
        await store.setFormerPin(former);
      }
      if (unknownSince) {
        unknownSince = { ...unknownSince, span: seenSpan(unknownSince.span, at, 'latest') };
        await store.setUnknownSince(unknownSince);
      }
    },
  };
}
