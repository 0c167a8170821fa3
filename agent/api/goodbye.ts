import type { Goodbye } from '@porchlight/contract/care.ts';
import type { Identity } from '../state/store.ts';
import type { Call } from './call.ts';

/** Nobody waits longer for a server when a computer goes down. */
const TIMEOUT_MS = 2000;

/** Says why there will be silence. What cannot be said is not kept: the server notices the silence itself, and calls it by another name. */
export async function sayGoodbye(call: Call, identity: Identity, said: Goodbye): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  await call('POST /agent/goodbye', { body: said }, { token: identity.agent_token, signal }).catch(() => {});
}
