import type { Goodbye } from '@porchlight/contract/device-health.ts';
import type { Identity } from '../state/store.ts';
import type { Call } from './call.ts';

const TIMEOUT_MS = 2000;

/**
 * Reports why the device goes offline. A failed goodbye is not retried: the server notices the outage itself, and a shutdown must not wait.
 */
export async function sayGoodbye(call: Call, identity: Identity, goodbye: Goodbye): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  await call('POST /agent/goodbye', { body: goodbye }, { token: identity.agent_token, signal }).catch(() => {});
}
