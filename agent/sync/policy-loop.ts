import { type DevicePolicy, devicePolicy } from '@porchlight/contract/agent.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import type { Identity, Store } from '../state/store.ts';
import type { Call } from './call.ts';
import { type FeedTaking, type refusedVersions, takeFeed } from './feed.ts';

/** A connection on which nothing has come for this long is dead: well within the minute in which a change must arrive. */
const deadAfter = (serverLimits.agent_wait_seconds + 15) * 1000;

export interface PolicyParts extends FeedTaking {
  store: Store;
  call: Call;
  /** What is in force now. */
  known: () => { policy: DevicePolicy | null; definitions: DefinitionSet | null };
  changed: (news: { policy?: DevicePolicy; definitions?: DefinitionSet }) => void;
}

/** One round of the long poll: waits for news, verifies, keeps, and only then puts in force. Throws what the call threw, or why the policy was not believed. */
export async function policyRound(
  parts: PolicyParts,
  identity: Identity,
  refused: ReturnType<typeof refusedVersions>,
  stop: AbortSignal,
): Promise<void> {
  const { store, call, known, changed } = parts;
  const keys = await store.keys();
  if (!keys) throw new Error('the keys of the server are missing');
  const { policy, definitions } = known();
  const known_definitions = Math.max(definitions?.version ?? 0, refused.known());
  const query = { known: policy?.version ?? 0, known_definitions, wait: serverLimits.agent_wait_seconds };
  const token = identity.agent_token;
  const answer = await call('GET /agent/policy', { query }, { token, signal: AbortSignal.any([stop, AbortSignal.timeout(deadAfter)]) });

  const next = openDocument(answer.policy, keys.keys.policy, devicePolicy);
  if (!next || next.device !== identity.device.uuid)
    throw new Error('the policy is not signed for this device; the last good one stays in force');
  if (next.version > query.known) {
    await store.keepPolicy(answer.policy);
    changed({ policy: next });
  }
  if (answer.definitions_version > known_definitions) {
    const set = await refused.unlessRefused(answer.definitions_version, async () => {
      const known_keys = (await store.feed.held())?.keys.version ?? 0;
      return takeFeed(parts, await call('GET /agent/definitions', { query: { known_keys } }, { token }), stop);
    });
    if (set) changed({ definitions: set });
  }
}
