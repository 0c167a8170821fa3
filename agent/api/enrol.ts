import type { AgentInfo, ServerKeys } from '@porchlight/contract/agent.ts';
import { type HandOver, type Link, parseLinkUri } from '@porchlight/contract/loopback.ts';
import { goodKeys } from '@porchlight/definitions/feed-chain.ts';
import { verifyText } from '@porchlight/definitions/signature.ts';
import type { Identity, Store } from '../state/store.ts';
import type { Call } from './call.ts';
import { newestKeys } from './keys.ts';

/** What is wrong with a link, in words. */
export const linkWords = {
  bad_signature: 'This link was not made by our server.',
  bad_link: 'This link is not complete.',
  other_server: 'This link is for another server.',
  expired: 'This link has expired. Make a new code on the dashboard. If it is new, set the date and time of this computer.',
  used: 'This link has been used already.',
};

/** Why a link was refused; the message is shown to the user. */
export class LinkRefused extends Error {
  readonly code: keyof typeof linkWords | 'asked' | 'declined' | 'pin_needed' | 'pin_refused';

  constructor(code: LinkRefused['code'], words: string) {
    super(words);
    this.code = code;
  }
}

export interface EnrolDeps {
  store: Store;
  call: Call;
  server: string;
  info: () => AgentInfo;
  now: () => Date;
  /** Runs before this computer becomes that device, to persist what must survive a crash. */
  beforeLinked: (identity: Identity) => Promise<void>;
}

const pinning = new WeakMap<Store, Promise<ServerKeys>>();

/** Trusts the server's keys on first use; later they must stay the same (P3.2). Concurrent calls share one request. */
export function pinKeys({ store, call }: Pick<EnrolDeps, 'store' | 'call'>): Promise<ServerKeys> {
  const pendingKeys = pinning.get(store) ?? pin(store, call).finally(() => pinning.delete(store));
  pinning.set(store, pendingKeys);
  return pendingKeys;
}

async function pin(store: Store, call: Call): Promise<ServerKeys> {
  const pinned = await store.keys();
  if (pinned) return pinned;
  const keys = await call('GET /agent/server', {});
  await store.pinKeys(keys);
  return keys;
}

export async function enrol(deps: EnrolDeps, code: string): Promise<Identity> {
  await pinKeys(deps);
  // The attempt is persisted first: the answer may be lost, or the agent killed.
  const enrol_id = await deps.store.enrolId(code);
  const answer = await deps.call('POST /agent/enrol', { body: { code, enrol_id, info: deps.info() } });
  const identity = { server: deps.server, ...answer };
  await deps.beforeLinked(identity);
  await deps.store.setIdentity(identity);
  return identity;
}

const refused = (code: keyof typeof linkWords) => new LinkRefused(code, linkWords[code]);

/** Requires a valid signature, this server, an unexpired link and an unused nonce (P3.2). Throws `LinkRefused`. */
export async function readLink(deps: Omit<EnrolDeps, 'beforeLinked'>, { uri, signature }: HandOver): Promise<Link> {
  const { store, now } = deps;
  const keys = await pinKeys(deps);
  const chain = await newestKeys(deps);
  const validKeys = goodKeys(chain?.keys, 'link', keys.keys.link, now());
  if (!validKeys.some((key) => verifyText(uri, signature, key))) throw refused('bad_signature');
  const link = parseLinkUri(uri);
  if (!link) throw refused('bad_link');
  if (link.server !== keys.public_url) throw refused('other_server');
  if (link.exp * 1000 <= now().getTime()) throw refused('expired');
  if (await store.nonceUsed(link.nonce)) throw refused('used');
  return link;
}
