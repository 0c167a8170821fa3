import type { AgentInfo, ServerKeys } from '@porchlight/contract/agent.ts';
import { type HandOver, type Link, parseLinkUri } from '@porchlight/contract/loopback.ts';
import { goodKeys } from '@porchlight/definitions/feed-chain.ts';
import { verifyText } from '@porchlight/definitions/signature.ts';
import type { Identity, Store } from '../state/store.ts';
import type { Call } from './call.ts';
import { newestKeys } from './keys.ts';

/** Why a link is refused, with the sentence for the user. */
export class LinkRefused extends Error {
  readonly code: 'bad_link' | 'bad_signature' | 'expired' | 'used' | 'other_server' | 'asked' | 'declined' | 'pin_needed' | 'pin_refused';

  constructor(code: LinkRefused['code'], messages: string) {
    super(messages);
    this.code = code;
  }
}

export interface EnrolDeps {
  store: Store;
  call: Call;
  server: string;
  info: () => AgentInfo;
  now: () => Date;
  /** Persists what must survive a crash, before this computer becomes that device. */
  becoming: (identity: Identity) => Promise<void>;
}

const pinning = new WeakMap<Store, Promise<ServerKeys>>();

/** Learns the server's keys at first use; later they must stay the same (P3.2). Concurrent calls get the same answer. */
export function pinKeys({ store, call }: Pick<EnrolDeps, 'store' | 'call'>): Promise<ServerKeys> {
  const mine = pinning.get(store) ?? pin(store, call).finally(() => pinning.delete(store));
  pinning.set(store, mine);
  return mine;
}

async function pin(store: Store, call: Call): Promise<ServerKeys> {
  const pinned = await store.keys();
  if (pinned) return pinned;
  const keys = await call('GET /agent/server', {});
  await store.pinKeys(keys);
  return keys;
}

/** Redeems a code and becomes its device. */
export async function enrol(deps: EnrolDeps, code: string): Promise<Identity> {
  await pinKeys(deps);
  // On disk before the code is redeemed: the answer may be lost, or the agent killed.
  const enrol_id = await deps.store.enrolId(code);
  const answer = await deps.call('POST /agent/enrol', { body: { code, enrol_id, info: deps.info() } });
  const identity = { server: deps.server, ...answer };
  await deps.becoming(identity);
  await deps.store.setIdentity(identity);
  return identity;
}

/** Accepts a link only with a good signature, for this server, in time, and once (P3.2). Throws `LinkRefused`. */
export async function readLink(deps: Omit<EnrolDeps, 'becoming'>, { uri, signature }: HandOver): Promise<Link> {
  const { store, now } = deps;
  const keys = await pinKeys(deps);
  const chain = await newestKeys(deps);
  const good = goodKeys(chain?.keys, 'link', keys.keys.link, now());
  if (!good.some((key) => verifyText(uri, signature, key))) throw new LinkRefused('bad_signature', 'This link was not made by our server.');
  const link = parseLinkUri(uri);
  if (!link) throw new LinkRefused('bad_link', 'This link is not complete.');
  if (link.server !== keys.public_url) throw new LinkRefused('other_server', 'This link is for another server.');
  if (link.exp * 1000 <= now().getTime()) throw new LinkRefused('expired', 'This link has expired. Make a new code on the dashboard.');
  if (await store.nonceUsed(link.nonce)) throw new LinkRefused('used', 'This link has been used already.');
  return link;
}
