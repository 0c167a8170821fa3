import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { linkToken, nothing, personName, phoneCode, time, uuid, uuidParam } from './shapes.ts';

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]*$/);

/** What a browser answers to a question for a passkey: WebAuthn's `AuthenticationResponseJSON`, of which only this is read. */
export const passkeyAnswer = z.object({
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(4000),
    userHandle: base64url(200).nullable().optional(),
  }),
  clientExtensionResults: z.object({}).default({}),
});
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

/** A new passkey: WebAuthn's `RegistrationResponseJSON`. */
export const newPasskey = z.object({
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(20_000),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
  clientExtensionResults: z.object({}).default({}),
});
export type NewPasskey = z.infer<typeof newPasskey>;

/** Options as `navigator.credentials` takes them in JSON; the server makes them, and browsers check them. */
const passkeyOptions = z.object({ options: z.record(z.string(), z.unknown()) });

/** Where the password is asked again (5.16), a passkey answers as well (P13.1). Without both, nothing is shown or changed. */
export const holderProof = z.object({
  current_password: z.string().max(1000).nullable().optional(),
  passkey: passkeyAnswer.optional(),
});
export type HolderProof = z.infer<typeof holderProof>;

export const passkey = z.object({
  uuid,
  /** The browser in which it was made, such as `Safari on iPhone`, or what the holder called it. */
  name: z.string(),
  created: time,
  last_used: time.nullable(),
});
export type Passkey = z.infer<typeof passkey>;

export const signInMethods = z.object({
  passkeys: z.array(passkey),
  /** Since when an authenticator app is in use; null without one. */
  authenticator: time.nullable(),
  recovery_codes_left: z.number().int(),
});
export type SignInMethods = z.infer<typeof signInMethods>;

/** Shown once, when the first passkey or the authenticator app is set up, or new ones are made; null at all other times. */
const recoveryCodes = z.object({ recovery_codes: z.array(z.string()).nullable() });

/** P13.1. Who has a passkey or an authenticator app needs it besides the password; who has neither logs in as in section 7. */
export const signInEndpoints = endpoints({
  'GET /web/sign-in-methods': {
    summary: 'The passkeys, the authenticator app and the recovery codes of the holder',
    access: 'account',
    answer: signInMethods,
    errors: [],
  },
  'POST /web/passkeys/options': {
    summary: 'Begin to add a passkey; five minutes to answer',
    // Who opened an account with a stranger's address has nothing left in it once its owner has reset the password.
    access: 'confirmed',
    body: holderProof,
    answer: passkeyOptions,
    errors: ['password_wrong', 'passkey_wrong', 'passkey_limit'],
  },
  'POST /web/passkeys': {
    summary: 'Add the passkey that the browser made',
    access: 'account',
    /** `name`: guardians read it in an email, so it may not look like a link or a number (5.14). */
    body: z.object({ name: personName.optional(), passkey: newPasskey }),
    answer: recoveryCodes,
    errors: ['passkey_wrong', 'passkey_limit'],
  },
  'POST /web/passkeys/:uuid/remove': {
    summary: 'Remove a passkey',
    access: 'account',
    params: uuidParam,
    body: holderProof,
    answer: nothing,
    errors: ['password_wrong', 'passkey_wrong', 'not_found'],
  },
  'POST /web/passkey-question': {
    summary: 'Options for a passkey that answers where the password is asked again; five minutes to answer',
    access: 'account',
    answer: passkeyOptions,
    errors: ['passkey_missing'],
  },
  'POST /web/authenticator/begin': {
    summary: 'Begin to set up an authenticator app; 15 minutes to answer',
    access: 'confirmed',
    body: holderProof,
    /** `secret`: base32, for typing; `uri`: `otpauth://…`, for a QR code; `setup` comes back with the first code. */
    answer: z.object({ setup: z.string(), secret: z.string(), uri: z.string() }),
    errors: ['password_wrong', 'passkey_wrong'],
  },
  'POST /web/authenticator': {
    summary: 'Set up the authenticator app with its first code; it replaces the former one',
    access: 'account',
    body: z.object({ setup: z.string().max(1000), code: phoneCode }),
    answer: recoveryCodes,
    errors: ['sign_in_code_wrong', 'setup_expired'],
  },
  'POST /web/authenticator/remove': {
    summary: 'Remove the authenticator app',
    access: 'account',
    body: holderProof,
    answer: nothing,
    errors: ['password_wrong', 'passkey_wrong', 'not_found'],
  },
  'POST /web/recovery-codes': {
    summary: 'Ten new recovery codes; the former ones no longer work',
    access: 'account',
    body: holderProof,
    answer: recoveryCodes,
    errors: ['password_wrong', 'passkey_wrong', 'second_step_missing'],
  },
  'POST /remove-sign-in/details': {
    summary: 'What the link of an email about a new way to log in removes; nothing changes yet',
    access: 'public',
    body: z.object({ token: linkToken }),
    /** `name`: the passkey's; an authenticator app has none. */
    answer: z.object({ method: z.enum(['passkey', 'authenticator']), name: z.string().nullable(), added: time }),
    errors: ['link_invalid', 'link_expired'],
  },
  'POST /remove-sign-in': {
    summary: 'Remove a passkey or an authenticator app that was just added, by the link of the email about it; logs everyone out',
    access: 'public',
    body: z.object({ token: linkToken }),
    /** `password_mail`: whether an email to choose a new password goes to the address that the link was sent to. */
    answer: z.object({ password_mail: z.boolean() }),
    errors: ['link_invalid', 'link_expired'],
  },
  'POST /login/passkey/options': {
    summary: 'Options to log in with a passkey of any account; five minutes to answer',
    access: 'public',
    answer: passkeyOptions,
    errors: [],
  },
  'POST /login/passkey': {
    summary: 'Log in with a passkey, without email and password',
    access: 'public',
    body: z.object({ passkey: passkeyAnswer }),
    answer: z.object({ web_token: z.string() }),
    errors: ['passkey_wrong'],
  },
});
