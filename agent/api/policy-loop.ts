import { type DevicePolicy, devicePolicy } from '@porchlight/contract/agent.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { goodKeys, isNewer, type KeyChain, lastPolicyKey } from '@porchlight/definitions/feed-chain.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import type { Identity, Store } from '../state/store.ts';
import type { Call } from './call.ts';
import { acceptFeed, type FeedDeps, type refusedVersions, versionIn } from './feed.ts';
import { takeKeys } from './keys.ts';

/** A connection without data for this long is dead: well within the minute in which a change must arrive. */
const deadAfter = (serverLimits.agent_wait_seconds + 15) * 1000;

export interface PolicyDeps extends FeedDeps {
  store: Store;
  call: Call;
  known: () => { policy: DevicePolicy | null; definitions: DefinitionSet | null };
  /** Whether the server knew this device at the last answer. */
  isKnown: () => boolean;
  changed: (news: { policy?: DevicePolicy; definitions?: DefinitionSet }) => void;
}

/**
 * One round of the long poll: waits for a change, verifies, persists, and only then puts it in force. Throws the call's error, or why the policy was
 * refused.
 */
export async function policyRound(
  deps: PolicyDeps,
  identity: Identity,
  refused: ReturnType<typeof refusedVersions>,
  stop: AbortSignal,
): Promise<void> {
  const { store, call, known, changed, now } = deps;
  const pinned = await store.keys();
  if (!pinned) throw new Error('the keys of the server are missing');
  const { policy, definitions } = known();
  let chain = await store.chain();
  const known_definitions = Math.max(versionIn(chain, definitions), refused.known());
  const query = {
    ...{ known: policy?.version ?? 0, known_epoch: policy?.epoch ?? 1 },
    // A device that was unknown polls at once to hear when it is known again.
    ...{ known_definitions, wait: deps.isKnown() ? serverLimits.agent_wait_seconds : 0 },
  };
  const token = identity.agent_token;
  const answer = await call('GET /agent/policy', { query }, { token, signal: AbortSignal.any([stop, AbortSignal.timeout(deadAfter)]) });

  // The keys come before anything that they signed.
  if (!chain || isNewer(answer.keys, chain.keys)) chain = await refused.unlessKeysRefused(() => takeKeys(deps, stop), chain);
  const next =
    openPolicy(answer.policy, goodKeys(chain?.keys, 'policy', pinned.keys.policy, now())) ?? openAhead(answer.policy, chain, now());
  if (!next || next.device !== identity.device.uuid)
    throw new Error('the policy is not signed for this device; the last good one stays in force');
  const epoch = chain?.keys.epoch ?? 1;
  // Only the root raises the epoch: a stolen policy key cannot.
  if (next.epoch > epoch) throw new Error('the policy is of an epoch that our server did not begin; the last good one stays in force');
  if (next.epoch === epoch && (!policy || isNewer(next, policy))) {
    await store.keepPolicy(answer.policy);
    changed({ policy: next });
  }
  const offered = { epoch: answer.keys.epoch, version: answer.definitions_version };
  const have = { epoch: definitions?.epoch ?? 1, version: definitions?.version ?? 0 };
  if (isNewer(offered, have) && !refused.isRefused(offered.version)) {
    const set = await refused.unlessRefused(offered.version, async () => {
      const query = { known_keys: chain?.keys.version ?? 0, known_epoch: epoch };
      return acceptFeed(deps, await call('GET /agent/definitions', { query }, { token }), stop);
    });
    if (set) changed({ definitions: set });
  }
}

const openPolicy = (document: SignedDocument, keys: string[]): DevicePolicy | null =>
  keys.reduce<DevicePolicy | null>((found, key) => found ?? openDocument(document, key, devicePolicy), null);

/** Where the clock is so far ahead that every key has expired, a policy is still accepted. */
function openAhead(document: SignedDocument, chain: KeyChain | null, now: Date): DevicePolicy | null {
  const last = lastPolicyKey(chain?.keys, now);
  const policy = last && openDocument(document, last.public_key, devicePolicy);
  return policy && last.isGoodAt(new Date(policy.issued)) ? policy : null;
}
