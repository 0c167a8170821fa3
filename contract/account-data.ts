import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { linkToken, nothing, time } from './shapes.ts';
import { holderProof } from './sign-in-methods.ts';

/** P13.2: an account can be downloaded, and deleted. */
export const accountDataEndpoints = endpoints({
  'POST /web/account/download': {
    summary: 'Everything that is stored about the account, for programs or to read',
    access: 'account',
    body: holderProof.extend({ format: z.enum(['json', 'page']) }),
    answer: z.object({ file_name: z.string(), content_type: z.string(), content: z.string() }),
    errors: ['password_wrong', 'passkey_wrong', 'not_found'],
  },
  'GET /web/account/deletion': {
    summary: 'When the account will be deleted; null if nobody asked for it',
    access: 'account',
    answer: z.object({ deletes: time.nullable() }),
    errors: [],
  },
  'POST /web/account/deletion': {
    summary: 'Have the account deleted in 7 days',
    access: 'account',
    body: holderProof,
    answer: z.object({ deletes: time }),
    errors: ['password_wrong', 'passkey_wrong', 'held', 'hold_limit'],
  },
  'POST /web/account/deletion/stop': {
    summary: 'Keep the account',
    access: 'account',
    answer: nothing,
    errors: [],
  },
  'POST /keep-account': {
    summary: 'Keep the account, by the link of an email',
    access: 'public',
    body: z.object({ token: linkToken }),
    answer: nothing,
    errors: ['link_invalid', 'link_expired'],
  },
});
