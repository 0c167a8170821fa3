import type { AgentInfo, ServerKeys } from '@porchlight/contract/agent.ts';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import { type HandOver, parseLinkUri } from '@porchlight/contract/loopback.ts';
import { verifyText } from '@porchlight/definitions/signature.ts';
import type { Identity, Store } from '../state/store.ts';
import type { Call } from './call.ts';

/** Why a link is not taken; `words` for the person. */
export class LinkRefused extends Error {
  readonly code: 'bad_link' | 'bad_signature' | 'expired' | 'used' | 'other_server' | 'pin_needed' | 'pin_refused';

  constructor(code: LinkRefused['code'], words: string) {
    super(words);
    this.code = code;
  }
}

export interface EnrolParts {
  store: Store;
  call: Call;
  server: string;
  info: () => AgentInfo;
  now: () => Date;
  /** Throws `LinkRefused` when this computer is a device already and the PIN of its account is missing or wrong. */
  mayLeave: (pin: string | undefined) => Promise<void>;
}

const pinning = new WeakMap<Store, Promise<ServerKeys>>();

/** Learns the server's keys at first use; afterwards they must stay the same (P3.2). Who asks meanwhile gets the same answer. */
export function pinKeys({ store, call }: Pick<EnrolParts, 'store' | 'call'>): Promise<ServerKeys> {
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

/** Uses a code up and becomes its device. `pin`: of the account that this computer belongs to now, if it does. */
export async function enrolByCode(parts: EnrolParts, typed: string, pin?: string): Promise<Identity> {
  const code = readDeviceCode(typed) ?? typed;
  await pinKeys(parts);
  await parts.mayLeave(pin);
  // On disk before the code is used up: the answer may be lost, or we may.
  const enrol_id = await parts.store.enrolId(code);
  const { agent_token, device } = await parts.call('POST /agent/enrol', { body: { code, enrol_id, info: parts.info() } });
  const identity = { server: parts.server, agent_token, device };
  await parts.store.setIdentity(identity);
  return identity;
}

/** Takes a link only with a good signature, for this server, in time, and once (P3.2). Throws `LinkRefused`, or what enrolling throws. */
export async function enrolByLink(parts: EnrolParts, { uri, signature }: HandOver, pin?: string): Promise<Identity> {
  const { store, now } = parts;
  const keys = await pinKeys(parts);
  if (!verifyText(uri, signature, keys.keys.link)) throw new LinkRefused('bad_signature', 'This link was not made by our server.');
  const link = parseLinkUri(uri);
  if (!link) throw new LinkRefused('bad_link', 'This link is not complete.');
  if (link.server !== keys.public_url) throw new LinkRefused('other_server', 'This link is for another server.');
  if (link.exp * 1000 <= now().getTime()) throw new LinkRefused('expired', 'This link has expired. Make a new code on the dashboard.');
  if (await store.nonceUsed(link.nonce)) throw new LinkRefused('used', 'This link has been used already.');
  const identity = await enrolByCode(parts, link.code, pin);
  await store.useNonce(link.nonce);
  return identity;
}
