import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { FormerAccount } from '../ports.ts';
import type { FormerPin, Store } from '../state/store.ts';

/** Milliseconds; a restart lengthens the time left by no more than this. */
const PERSIST_MS = 60_000;

export interface FormerAccountDeps {
  store: Pick<Store, 'formerPin' | 'setFormerPin' | 'unknownSince' | 'setUnknownSince'>;
  readClock: () => ClockReading;
  device: () => string | null;
}

export async function formerAccount({ store, readClock, device }: FormerAccountDeps): Promise<FormerAccount> {
  let former: FormerPin | null = await store.formerPin();
  let unknownSince = await store.unknownSince();
  let persistedAt = readClock().up;
  const pinLeft = () => (former ? leftOf(former.span, readClock(), 'latest') : 0);
  const unknownNow = () => (unknownSince && unknownSince.device === device() ? unknownSince : null);
  return {
    pinLeft,
    pin: () => (former && pinLeft() > 0 ? former.pin : null),
    identity: () => (former && pinLeft() > 0 ? former.identity : null),
    async removed(identity, pin) {
      former = { pin, identity: pin ? null : identity, span: beginSpan(readClock(), agentLimits.after_account) };
      await store.setFormerPin(former);
    },
    async revoked() {
      former = null;
      await store.setFormerPin(null);
    },
    unrecognizedLeft: () => {
      const since = unknownNow();
      return since && leftOf(since.span, readClock(), 'latest');
    },
    async noteUnrecognized() {
      const since = unknownNow();
      if (since) return leftOf(since.span, readClock(), 'latest') === 0;
      const currentDevice = device();
      if (!currentDevice) return false;
      unknownSince = { device: currentDevice, span: beginSpan(readClock(), agentLimits.after_account) };
      await store.setUnknownSince(unknownSince);
      return false;
    },
    async noteRecognized() {
      if (!unknownSince) return;
      unknownSince = null;
      await store.setUnknownSince(null);
    },
    async end() {
      if (former) await store.setFormerPin(null);
      if (unknownSince) await store.setUnknownSince(null);
      [former, unknownSince] = [null, null];
    },
    async persistTimeLeft() {
      const reading = readClock();
      if (Math.abs(reading.up - persistedAt) < PERSIST_MS) return;
      persistedAt = reading.up;
      if (former) {
        former = pinLeft() > 0 ? { ...former, span: seenSpan(former.span, reading, 'latest') } : null;
        await store.setFormerPin(former);
      }
      if (unknownSince) {
        unknownSince = { ...unknownSince, span: seenSpan(unknownSince.span, reading, 'latest') };
        await store.setUnknownSince(unknownSince);
      }
    },
  };
}
