import { z } from 'zod';
import { limits } from './limits.ts';
import { serverLimits } from './server-limits.ts';

/** ISO 8601 in UTC. */

export const time = z.iso.datetime();
export const uuid = z.uuid();
export const emailAddress = z.string().trim().min(1).max(limits.email_max).pipe(z.email());
export const newPassword = z.string().min(limits.password_min).max(serverLimits.password_max);
/** A name as people read it: full-width characters and signs that resemble a full stop become ASCII. */
const normalizedName = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u3164]/gu, '')
    .replace(/[。܁܂۔]/gu, '.');

/**
 * Names appear in emails to strangers, and mail programs make links of anything similar to an address (5.14).
 * A title without a space (`Dr.Jones`) is allowed.
 */
const looksLikeLink = (name: string) => {
  const untitled = normalizedName(name).replace(/\b(mr|mrs|ms|dr|prof|st)\./gi, ' ');
  return /[/\\@]|[\p{L}\p{N}]\s?\.(\p{L}{2,}|xn--)/u.test(untitled);
};
/** Whether a name contains five digits, with anything but letters between them. */
const looksLikeNumber = (name: string) => /\p{N}([^\p{L}\p{N}]*\p{N}){4}/u.test(normalizedName(name));

/** A link, or an email address. Other slashes and points are allowed, as in `Kitchen / Ann`. */
export const looksLikeAddress = (name: string): boolean => {
  const untitled = normalizedName(name).replace(/\b(mr|mrs|ms|dr|prof|st)\./gi, ' ');
  return /:\/\/|\S@\S|[\p{L}\p{N}]\s?\.(\p{L}{2,}|xn--)/u.test(untitled);
};

/** Line breaks and other control characters, and the marks that turn what follows round. */
const lineOrDirection = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Whether a name has not one visible character. */
export const hidesItself = (name: string): boolean => /^[\p{C}\p{Z}\s\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164]*$/u.test(name);

/** Whether a name may appear in an email to somebody who did not type it. */
export const isHarmlessName = (name: string): boolean => !looksLikeLink(name) && !looksLikeNumber(name);

const noLink = z.stringFormat('it must not look like a link', (name) => !looksLikeLink(name));
const noNumber = z.stringFormat('it must not look like a phone number', (name) => !looksLikeNumber(name));
/** On one line, in the order in which it is read, and to be seen (P18.1). */
const oneVisibleLine = z.stringFormat('format', (name) => !lineOrDirection.test(name) && (name === '' || !hidesItself(name)));
const noAddress = z.stringFormat('it must not look like a link', (name) => !looksLikeAddress(name));
const nameOf = (max: number) => z.string().trim().min(1).max(max).pipe(oneVisibleLine).pipe(noLink).pipe(noNumber);
/** Of a thing, such as a computer, which our messages quote (P18.1). */
export const nameOfThing = (max: number) => z.string().trim().min(1).max(max).pipe(oneVisibleLine).pipe(noAddress);
export const personName = nameOf(limits.name_max);
export const nameOrNothing = z.string().trim().max(limits.guardian_name_max).pipe(oneVisibleLine).pipe(noLink).pipe(noNumber);
export const guardianName = nameOf(limits.guardian_name_max);
/** Six digits (P2.5). */
export const phoneCode = z
  .string()
  .trim()
  .regex(/^\d{6}$/);
export const uuidParam = z.object({ uuid });
export const idParam = z.object({ id: uuid });

export const nothing = z.object({});

/** 256 random bits as base64url. */
export const linkToken = z.string().min(1).max(200);

export const category = z.enum(['RemoteControl', 'DeceptiveUtility', 'ScamWebsite']);
export type Category = z.infer<typeof category>;

/**
 * What a detection is about: a definition or a site of a list, or something that is on no list (P12.3 to P12.6).
 * - `PastedCommand`, `NewProgram`: a start that waits for a yes. - `Door`: a way in was opened, such as Remote Desktop.
 * - `MoneySite`: a bank or other money site that rests.
 * - `PausedSite`: somebody at the computer wants to open a site that is paused.
 */
export const detectionCategory = z.enum([...category.options, 'PastedCommand', 'NewProgram', 'Door', 'MoneySite', 'PausedSite']);
export type DetectionCategory = z.infer<typeof detectionCategory>;

/** Clause P4.2. */
export const certainty = z.enum(['certain', 'likely']);
export type Certainty = z.infer<typeof certainty>;

/** Clause P4.1. */
export const policyAction = z.enum(['block', 'alert', 'ignore']);
export type PolicyAction = z.infer<typeof policyAction>;

/** `signature` is base64url Ed25519 over the UTF-8 bytes of `payload`, which is JSON. */
export const signedDocument = z.object({ payload: z.string(), signature: z.string(), key_id: z.string() });
export type SignedDocument = z.infer<typeof signedDocument>;

/** The signed lists of keys, in order and without a gap. */
export const signedKeys = z.object({ keys: z.array(signedDocument).max(1000) });

/** The newest set of definitions. It refers to its parts by their hashes. */
export const signedFeed = signedKeys.extend({ set: signedDocument });
export type SignedFeed = z.infer<typeof signedFeed>;

/** P2.6: scrypt with a salt per device. `salt` and `hash` are base64url; `n`, `r` and `p` are the cost. */
export const pinHash = z.object({
  salt: z.string().min(16),
  hash: z.string().min(16),
  n: z.number().int().min(2).max(131_072),
  r: z.number().int().min(1).max(16),
  p: z.number().int().min(1).max(16),
});
export type PinHash = z.infer<typeof pinHash>;

/** `by`: a first name, or the device's name for somebody at the computer. */
export const statement = z.object({ by: z.string(), you: z.boolean(), time });
export type Statement = z.infer<typeof statement>;
