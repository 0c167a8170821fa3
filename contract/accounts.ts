import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { emailAddress, linkToken, newPassword, nothing, personName, phoneCode, time, uuid, uuidParam } from './shapes.ts';
import { passkeyAnswer } from './sign-in-methods.ts';
import { thirdPartySupport } from './support.ts';

/** Clause 3.1. */
export const profile = z.object({
  name: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  /** Whether the newest notification to `email` failed permanently (P11.4). */
  email_fails: z.boolean(),
  /** An entered email address that is not confirmed yet; until then `email` is in force (P2.4). */
  pending_email: z.string().nullable(),
  phone_number: z.string().nullable(),
  phone_number_verified: z.boolean(),
  phone_number_opted_out: z.boolean(),
  phone_number_host: z.string().nullable(),
  third_party_support: thirdPartySupport.nullable(),
});
export type Profile = z.infer<typeof profile>;

export const session = z.object({
  uuid,
  /** For example `Firefox on Windows`. */
  browser: z.string(),
  created: time,
  last_used: time,
  current: z.boolean(),
});
export type Session = z.infer<typeof session>;

/**
 * 7.7 and 7.8; omitted fields do not change. A changed email or phone number and a new password need `current_password` (5.16), or a passkey (P13.1).
 * `phone_number` is international (`+12025550143`); null or empty removes it.
 */
export const profileChange = z.object({
  name: personName.optional(),
  email: emailAddress.optional(),
  phone_number: z.string().trim().max(limits.phone_input_max).nullable().optional(),
  current_password: z.string().max(1000).nullable().optional(),
  passkey: passkeyAnswer.optional(),
  password: newPassword.optional(),
});

/** P2.6: six digits. */
const adminPin = z.object({ bypass_password: z.string() });

export const accountEndpoints = endpoints({
  'POST /login/web': {
    summary: 'Log in with email and password (7.2)',
    access: 'public',
    // No `emailAddress` check: a failed login answers only that email and password do not match.
    body: z.object({
      email: z.string().trim().min(1).max(1000),
      password: z.string().min(1).max(1000),
      /** From the authenticator app, or a recovery code; only for who has a passkey or an authenticator app (P13.1). */
      code: z.string().trim().min(1).max(100).optional(),
    }),
    answer: z.object({ web_token: z.string() }),
    errors: ['login_wrong', 'login_guarded', 'second_step_needed', 'sign_in_code_wrong'],
  },
  'POST /register': {
    summary: 'Open an account (7.3)',
    access: 'public',
    body: z.object({
      name: personName,
      email: emailAddress,
      password: newPassword,
      promo: z.string().max(100).nullable().default(null),
      signup_code: z.string().max(100).nullable().default(null),
    }),
    answer: nothing,
    errors: ['email_taken', 'password_common', 'code_unknown', 'code_used', 'code_expired'],
  },
  'POST /confirm-email': {
    summary: 'Use the button of the confirmation mail (P2.1)',
    access: 'public',
    body: z.object({ token: linkToken }),
    answer: z.object({ already_confirmed: z.boolean() }),
    errors: ['link_invalid', 'link_expired'],
  },
  'POST /forgot-password': {
    summary: 'Ask for a reset mail; the same answer for every address (P2.2)',
    access: 'public',
    body: z.object({ email: emailAddress }),
    answer: nothing,
    errors: [],
  },
  'POST /reset-password': {
    summary: 'Choose a new password with the token of the reset mail (P2.2)',
    access: 'public',
    body: z.object({ token: linkToken, password: newPassword }),
    answer: nothing,
    errors: ['password_common', 'reset_invalid', 'reset_expired'],
  },
  'POST /web/verify-email': {
    summary: 'Send the confirmation mail again (P2.3)',
    access: 'account',
    answer: nothing,
    errors: [],
  },
  'POST /web/logout': {
    summary: 'End this session (P1.5)',
    access: 'account',
    answer: nothing,
    errors: [],
  },
  'GET /web/profile': {
    summary: 'The person who holds the account (7.6)',
    access: 'account',
    answer: profile,
    errors: [],
  },
  'PATCH /web/profile': {
    summary: 'Change name, email, phone number (7.7) or password (7.8)',
    access: 'account',
    body: profileChange,
    answer: nothing,
    errors: ['password_wrong', 'passkey_wrong', 'password_common', 'phone_country', 'held', 'hold_limit'],
  },
  'POST /confirm-email-change': {
    summary: 'Use the button of the mail to the new address, or of the one that lets the old address take it back (P2.4)',
    access: 'public',
    body: z.object({ token: linkToken }),
    answer: z.object({ done: z.enum(['changed', 'undone']), already_confirmed: z.boolean() }),
    errors: ['link_invalid', 'link_expired', 'email_taken', 'held', 'hold_limit'],
  },
  'POST /web/send-phone-code': {
    summary: 'Text a new code to the phone number of the profile (P2.5)',
    access: 'account',
    answer: nothing,
    errors: ['phone_missing', 'email_unverified', 'phone_country', 'phone_codes_spent', 'texts_spent'],
  },
  'POST /web/verify-phonenumber': {
    summary: 'Prove with the code that was texted that the phone is at hand (7.21)',
    access: 'account',
    body: z.object({
      code: phoneCode,
    }),
    answer: nothing,
    errors: ['phone_code_wrong', 'phone_code_expired'],
  },
  'POST /web/reauthenticate': {
    summary: 'Enter the password again, or use a passkey; for 10 minutes this session counts as the holder’s own (P10.2)',
    access: 'account',
    body: z.union([z.object({ password: z.string().min(1).max(1000) }), z.object({ passkey: passkeyAnswer })]),
    answer: nothing,
    errors: ['password_wrong', 'passkey_wrong'],
  },
  'GET /web/bypasspassword': {
    summary: 'The Admin PIN (7.22)',
    access: 'account',
    answer: adminPin,
    errors: ['held', 'hold_limit'],
  },
  'POST /web/bypasspassword': {
    summary: 'A new Admin PIN; the old one no longer works (7.23)',
    access: 'account',
    answer: adminPin,
    errors: ['held', 'hold_limit'],
  },
  'GET /web/accounts/sessions': {
    summary: 'Where the holder is logged in, the last used first',
    access: 'account',
    answer: z.object({ sessions: z.array(session) }),
    errors: [],
  },
  'POST /web/logout-everywhere': {
    summary: 'Log out in all browsers, this one included (P13.1)',
    access: 'account',
    answer: nothing,
    errors: [],
  },
  'DELETE /web/accounts/sessions/:uuid': {
    summary: 'Log out somewhere else',
    access: 'account',
    params: uuidParam,
    answer: nothing,
    errors: ['not_found'],
  },
});
