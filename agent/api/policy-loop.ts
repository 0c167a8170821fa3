import { type DevicePolicy, devicePolicy } from '@porchlight/contract/agent.ts';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { goodKeys, isNewer, type KeyChain, lastPolicyKey } from '@porchlight/definitions/feed-chain.ts';
import type { DefinitionSet } from '@porchlight/definitions/recognition.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import type { RoundMark, ServerWord } from '../ports.ts';
import type { Identity, Store } from '../state/store.ts';
import type { Call } from './call.ts';
import { acceptFeed, type FeedDeps, type refusedVersions, versionIn } from './feed.ts';
import { takeKeys } from './keys.ts';

/** Milliseconds without an answer before a connection counts as dead. */
const deadAfter = 15_000;

export interface PolicyDeps extends FeedDeps {
  store: Store;
  call: Call;
  known: () => { policy: DevicePolicy | null; definitions: DefinitionSet | null };
  isKnown: () => boolean;
  lock: ServerWord;
  /** How late it is at least, by what the server has signed; 1970 while nothing is known. */
  signedNow: () => Date;
  /** Called with the time of each policy that the server signed. */
  noteServerTime: (issued: Date) => void;
  changed: (changes: { policy?: DevicePolicy; definitions?: DefinitionSet }) => void;
}

/** What the agent knows of the policy and the definitions; refused definitions count as known. */
export async function knownVersions({ store, known }: PolicyDeps, refusals: ReturnType<typeof refusedVersions>) {
  const { policy, definitions } = known();
  const known_definitions = Math.max(versionIn(await store.chain(), definitions), refusals.known());
  return { known: policy?.version ?? 0, known_epoch: policy?.epoch ?? 1, known_definitions };
}

/**
 * Asks for the policy: verifies and persists a changed one before it comes into force. Throws the error of the call, or why the policy was refused.
 */
export async function policyRound(
  deps: PolicyDeps,
  identity: Identity,
  refusals: ReturnType<typeof refusedVersions>,
  { mark, stop }: { mark: RoundMark; stop: AbortSignal },
): Promise<void> {
  const { store, call, known, changed, now } = deps;
  const pinned = await store.keys();
  if (!pinned) throw new Error('the keys of the server are missing');
  const { policy, definitions } = known();
  let chain = await store.chain();
  const token = identity.agent_token;
  const signal = AbortSignal.any([stop, AbortSignal.timeout(deadAfter)]);
  const answer = await call('GET /agent/policy', {}, { token, signal });

  const openWith = (keys: KeyChain | null) =>
    openPolicy(answer.policy, goodKeys(keys?.keys, 'policy', pinned.keys.policy, now())) ?? openAhead(answer.policy, keys, now());
  let nextPolicy = openWith(chain);
  if (!chain || isNewer(answer.keys, chain.keys)) {
    const judged = { ...deps, now: () => judgedBy(deps, nextPolicy) };
    chain = await refusals.unlessKeysRefused(() => takeKeys(judged, stop), chain);
    nextPolicy = openWith(chain);
  }
  if (!nextPolicy || nextPolicy.device !== identity.device.uuid)
    throw new Error('the policy is not signed for this device; the last good one stays in force');
  const epoch = chain?.keys.epoch ?? 1;
  // Only the root key raises the epoch, so a stolen policy key cannot.
  if (nextPolicy.epoch > epoch)
    throw new Error('the policy is of an epoch that our server did not begin; the last good one stays in force');
  if (nextPolicy.epoch === epoch && (!policy || isNewer(nextPolicy, policy))) {
    await store.savePolicy(answer.policy);
    changed({ policy: nextPolicy });
  }
  if (nextPolicy.epoch === epoch) {
    await deps.lock.policyArrived(nextPolicy, mark);
    deps.noteServerTime(new Date(nextPolicy.issued));
    await takeCodeSecret({ store, call }, identity, nextPolicy.code_secret);
  }
  const offeredVersion = { epoch: answer.keys.epoch, version: answer.definitions_version };
  const currentVersion = { epoch: definitions?.epoch ?? 1, version: definitions?.version ?? 0 };
  if (isNewer(offeredVersion, currentVersion) && !refusals.isRefused(offeredVersion.version)) {
    const set = await refusals.unlessRefused(offeredVersion.version, async () => {
      const query = { known_keys: chain?.keys.version ?? 0, known_epoch: epoch };
      return acceptFeed(
        { ...deps, now: () => judgedBy(deps, nextPolicy) },
        await call('GET /agent/definitions', { query }, { token }),
        stop,
      );
    });
    if (set) changed({ definitions: set });
  }
}

/**
 * The time by which lists of keys and definitions are out of date: the newest that the server has signed, because a computer's clock may be
 * wrong by years, and a network can set it (NTP). A replayed policy rolls it back at most to the newest signed time that this agent knows,
 * after a restart to that of the stored policy; and whatever the time, neither an older version nor a key that the newest known list leaves
 * out is taken. Before the first policy only the clock is there.
 */
function judgedBy({ signedNow, now }: PolicyDeps, policy: DevicePolicy | null): Date {
  const signed = Math.max(signedNow().getTime(), policy ? Date.parse(policy.issued) : 0);
  return signed > 0 ? new Date(signed) : now();
}

const openPolicy = (document: SignedDocument, keys: string[]): DevicePolicy | null =>
  keys.reduce<DevicePolicy | null>((openedPolicy, key) => openedPolicy ?? openDocument(document, key, devicePolicy), null);

/** Accepts a policy although the local clock is so far ahead that every key seems expired. */
function openAhead(document: SignedDocument, chain: KeyChain | null, now: Date): DevicePolicy | null {
  const lastKey = lastPolicyKey(chain?.keys, now);
  const policy = lastKey && openDocument(document, lastKey.public_key, devicePolicy);
  return policy && lastKey.isGoodAt(new Date(policy.issued)) ? policy : null;
}

/** Fetches the secret of the one-time codes unless the policy's secret is stored here already (P10.7). Throws the error of the call. */
async function takeCodeSecret(
  { store, call }: { store: Pick<Store, 'codeSecret' | 'setCodeSecret'>; call: Call },
  identity: Identity,
  id: string | null,
): Promise<void> {
  const device = identity.device.uuid;
  if (id === null) return;
  const known = await store.codeSecret();
  if (known?.device === device && known.id === id) return;
  const { id: given, secret } = await call('GET /agent/code-secret', {}, { token: identity.agent_token });
  await store.setCodeSecret({ device, id: given, secret });
}
