import { z } from 'zod';
import { limits } from './limits.ts';
import { serverLimits } from './server-limits.ts';

/** Shapes that several slices use. Times on the wire are ISO 8601 in UTC. */

export const time = z.iso.datetime();
export const uuid = z.uuid();
export const emailAddress = z.string().trim().min(1).max(limits.email_max).pipe(z.email());
export const newPassword = z.string().min(limits.password_min).max(serverLimits.password_max);
/** What people read as it, in the letters that programs read: full-width ones, and signs that look like a full stop, count as what they look like. */
const asRead = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u3164]/gu, '')
    .replace(/[。܁܂۔]/gu, '.');

/**
 * Names are part of emails to people who know nothing of us, and mail programs make a link of everything that looks like one. The format is what
 * people read beside the field (5.14). A title with no space after it (`Dr.Jones`) is none.
 */
const looksLikeLink = (name: string) => {
  const untitled = asRead(name).replace(/\b(mr|mrs|ms|dr|prof|st)\./gi, ' ');
  return /[/\\@]|[\p{L}\p{N}]\s?\.(\p{L}{2,}|xn--)/u.test(untitled);
};
/** Five digits with whatever between them but letters: a number that somebody is to call. */
const looksLikeNumber = (name: string) => /\p{N}([^\p{L}\p{N}]*\p{N}){4}/u.test(asRead(name));

/** Whether a name may stand in a mail to somebody who did not type it: it is neither a link, nor an address, nor a number to call. */
export const isHarmlessName = (name: string): boolean => !looksLikeLink(name) && !looksLikeNumber(name);

const noLink = z.stringFormat('it must not look like a link', (name) => !looksLikeLink(name));
const noNumber = z.stringFormat('it must not look like a phone number', (name) => !looksLikeNumber(name));
const nameOf = (max: number) => z.string().trim().min(1).max(max).pipe(noLink).pipe(noNumber);
export const personName = nameOf(limits.name_max);
/** The same, and it may be left empty. */
export const nameOrNothing = z.string().trim().max(limits.guardian_name_max).pipe(noLink).pipe(noNumber);
export const guardianName = nameOf(limits.guardian_name_max);
/** P2.5: six digits. */
export const phoneCode = z
  .string()
  .trim()
  .regex(/^\d{6}$/);
export const uuidParam = z.object({ uuid });
export const idParam = z.object({ id: uuid });

/** An answer with nothing in it. */
export const nothing = z.object({});

/** The token of a link in a mail: 256 random bits as base64url. */
export const linkToken = z.string().min(1).max(200);

export const category = z.enum(['RemoteControl', 'DeceptiveUtility', 'ScamWebsite']);
export type Category = z.infer<typeof category>;

/** P4.2: how sure a match is. */
export const certainty = z.enum(['certain', 'likely']);
export type Certainty = z.infer<typeof certainty>;

/** What a policy does about a category (P4.1). */
export const policyAction = z.enum(['block', 'alert', 'ignore']);
export type PolicyAction = z.infer<typeof policyAction>;

/** A document whose exact bytes are signed: `signature` is base64url Ed25519 over the UTF-8 bytes of `payload`, which is JSON. */
export const signedDocument = z.object({ payload: z.string(), signature: z.string(), key_id: z.string() });
export type SignedDocument = z.infer<typeof signedDocument>;

/** Lists of good keys in order, without a gap. */
export const signedKeys = z.object({ keys: z.array(signedDocument).max(1000) });

/** The definitions as they are offered: the lists of good keys, and the newest set, which names its parts by content. */
export const signedFeed = signedKeys.extend({ set: signedDocument });
export type SignedFeed = z.infer<typeof signedFeed>;

/** What a PIN is checked against (P2.6): scrypt of the PIN, with a salt of one device. `salt` and `hash` are base64url; `n`, `r` and `p` are what it costs. */
export const pinHash = z.object({
  salt: z.string().min(16),
  hash: z.string().min(16),
  n: z.number().int().min(2).max(131_072),
  r: z.number().int().min(1).max(16),
  p: z.number().int().min(1).max(16),
});
export type PinHash = z.infer<typeof pinHash>;
