import { z } from 'zod';
import { endpoints } from './endpoint.ts';

/** 1.4: third-party support. `exclusive`: not the operator's, so no chat is loaded (1.5). */
export const thirdPartySupport = z.object({
  email: z.string().nullable(),
  phone: z.string().nullable(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  exclusive: z.boolean(),
  link: z.string().nullable(),
  linktext: z.string().nullable(),
});
export type ThirdPartySupport = z.infer<typeof thirdPartySupport>;

export const supportEndpoints = endpoints({
  'GET /web/support': {
    summary: 'Who the person is, for the support chat (3.17, 7.33)',
    access: 'account',
    /** `hash`: hex HMAC-SHA256 of the email with the chat's key; null without a chat or a confirmed email. */
    answer: z.object({ name: z.string(), email: z.string(), hash: z.string().nullable() }),
    errors: [],
  },
});
