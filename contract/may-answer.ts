import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { nothing, phoneCode, time, uuid } from './shapes.ts';

/**
 * Why the reader may not answer. - `preview`: the holder sees a guardian's page. - `place`: at a computer of the account. - `place_number`: there,
 * where a phone number that is added now would prove them. - `new_guardian`: of less than 72 hours. - `new_password`: it was changed meanwhile.
 * - `own_computer`: the question is about the holder's own. - `number`: no number of theirs proves them yet. - `no_texts`: this server sends none. - `too_early`: the hour of a holder without guardians is not over.
 * - `stopped`: nothing that is allowed runs there while everything is stopped (P10.6). - `first_day`: nor on the day after the computer changed hands (P10.8).
 */
export const mayNotAnswer = z.enum([
  'preview',
  'place',
  'place_number',
  'new_guardian',
  'new_password',
  'own_computer',
  'number',
  'no_texts',
  'too_early',
  'stopped',
  'first_day',
]);
export type MayNotAnswer = z.infer<typeof mayNotAnswer>;

export const answerRefusal = z.object({
  may: z.literal('no'),
  reason: mayNotAnswer,
  /** When the reader may, of `too_early`, `stopped` and `first_day`. */
  from: time.nullable(),
  why: z.string(),
});
export type AnswerRefusal = z.infer<typeof answerRefusal>;

/**
 * Whether the reader may answer (P10.2). `code`: only with a code texted to their phone just now. `password`: only after entering the
 * password again. `no`: somebody else must answer; `why` is the sentence about `reason`.
 */
export const mayAnswer = z.discriminatedUnion('may', [z.object({ may: z.enum(['yes', 'code', 'password']) }), answerRefusal]);
export type MayAnswer = z.infer<typeof mayAnswer>;

/** Texted just now, where `MayAnswer` says so. */
export const answerCode = phoneCode.optional();
/** Errors of an answer under P10.2. */
export const answerErrors = [
  'not_found',
  'may_not_answer',
  'code_needed',
  'password_needed',
  'phone_code_wrong',
  'phone_code_expired',
] as const;
export const guardianAnswerParams = z.object({ id: uuid, uuid });
const codeErrors = ['phone_missing', 'phone_country', 'phone_codes_spent', 'texts_spent'] as const;

export const answerCodeEndpoints = endpoints({
  'POST /web/answer-code': {
    summary: 'Text a code to the holder’s phone, for an answer from a computer of the account (P10.2)',
    access: 'account',
    answer: nothing,
    errors: codeErrors,
  },
  'POST /guardian/:id/answer-code': {
    summary: 'Text a code to the guardian’s phone, for an answer from a computer of the account (P10.2)',
    access: 'guardian',
    params: z.object({ id: uuid }),
    answer: nothing,
    errors: ['guardian_inactive', ...codeErrors],
  },
});
