import type { Goodbye } from '@porchlight/contract/care.ts';
import type { Identity } from '../state/store.ts';
import type { Call } from './call.ts';

/** A shutdown does not wait longer for a server. */
const TIMEOUT_MS = 2000;

/** Tells the server why there will be silence. A goodbye that fails is not persisted: the server notices the silence itself. */
export async function sayGoodbye(call: Call, identity: Identity, said: Goodbye): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  await call('POST /agent/goodbye', { body: said }, { token: identity.agent_token, signal }).catch(() => {});
}
