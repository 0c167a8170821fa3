import { type DevicePolicy, devicePolicy } from '@porchlight/contract/agent.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { type DefinitionSet, definitionSet } from '@porchlight/definitions/format.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import type { Identity, Store } from '../state/store.ts';
import type { Call } from './call.ts';

/** A connection on which nothing has come for this long is dead: well within the minute in which a change must arrive. */
const deadAfter = (limits.agent_wait_seconds + 15) * 1000;

export interface PolicyParts {
  store: Store;
  call: Call;
  /** What is in force now. */
  known: () => { policy: DevicePolicy | null; definitions: DefinitionSet | null };
  changed: (news: { policy?: DevicePolicy; definitions?: DefinitionSet }) => void;
}

/** One round of the long poll: waits for news, verifies, keeps, and only then puts in force. Throws what the call threw, or why it was not believed. */
export async function policyRound(parts: PolicyParts, identity: Identity, stop: AbortSignal): Promise<void> {
  const { store, call, known, changed } = parts;
  const keys = await store.keys();
  if (!keys) throw new Error('the keys of the server are missing');
  const { policy, definitions } = known();
  const query = { known: policy?.version ?? 0, known_definitions: definitions?.version ?? 0, wait: limits.agent_wait_seconds };
  const token = identity.agent_token;
  const answer = await call('GET /agent/policy', { query }, { token, signal: AbortSignal.any([stop, AbortSignal.timeout(deadAfter)]) });

  const next = openDocument(answer.policy, keys.keys.policy, devicePolicy);
  if (!next || next.device !== identity.device.uuid)
    throw new Error('the policy is not signed for this device; the last good one stays in force');
  if (next.version > query.known) {
    await store.keepSigned('policy', answer.policy);
    changed({ policy: next });
  }
  if (answer.definitions_version > query.known_definitions) {
    const document = await call('GET /agent/definitions', {}, { token });
    const set = openDocument(document, keys.keys.definitions, definitionSet);
    if (!set) throw new Error('the definitions are not signed by our server; the last good ones stay in force');
    if (set.version > query.known_definitions) {
      await store.keepSigned('definitions', document);
      changed({ definitions: set });
    }
  }
}
