import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { emailAddress, linkToken, newPassword, nothing, personName } from './shapes.ts';

/** 3.1 as the server supplies it. */
export const profile = z.object({
  name: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  phone_number: z.string().nullable(),
  phone_number_verified: z.boolean(),
  phone_number_opted_out: z.boolean(),
  phone_number_host: z.string().nullable(),
  third_party_support: z
    .object({
      email: z.string().nullable(),
      phone: z.string().nullable(),
      title: z.string().nullable(),
      description: z.string().nullable(),
      exclusive: z.boolean(),
      link: z.string().nullable(),
      linktext: z.string().nullable(),
    })
    .nullable(),
});
export type Profile = z.infer<typeof profile>;

export const accountEndpoints = endpoints({
  'POST /login/web': {
    summary: 'Log in with email and password (7.2)',
    access: 'public',
    // Not `emailAddress`: a login says only "does not go together", whatever was typed.
    body: z.object({ email: z.string().trim().min(1).max(1000), password: z.string().min(1).max(1000) }),
    answer: z.object({ web_token: z.string() }),
    errors: ['login_wrong'],
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
    errors: ['email_taken', 'code_unknown'],
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
    errors: ['reset_invalid', 'reset_expired'],
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
});
