import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { answerCode, answerErrors } from './may-answer.ts';
import { idParam, time, uuid } from './shapes.ts';

/**
 * One-time codes (P10.7). A guardian's page shows eight digits for one device and one purpose; the agent verifies them without a server.
 * `definitions/one-time-code.ts` derives them; `one-time-code-vectors.ts` has examples.
 */

/** `allow`: one named program for an hour. `link`: to another account. */
export const codePurpose = z.enum(['pause', 'uninstall', 'allow', 'link']);
export type CodePurpose = z.infer<typeof codePurpose>;

export const oneTimeCodes = {
  digits: 8,
  /** The length of a window in milliseconds. Window 0 begins at 1970. */
  window: 10 * 60_000,
  /** Running numbers in a window begin at 0: so many different codes exist for a device, a purpose, a program and a window. */
  per_window: 10,
  /** Bytes of a device's secret. */
  secret_bytes: 32,
  /** How long a program is allowed by a code, in milliseconds. */
  allows_for: 60 * 60_000,
} as const;

export interface CodeSubject {
  /** The device's uuid in lower case. */
  device: string;
  purpose: CodePurpose;
  /** The program's identifier for `allow`, else empty. */
  program: string;
}

export const windowOf = (ms: number): number => Math.floor(ms / oneTimeCodes.window);

/** The text over which a code is computed. No part can contain the separator. */
export function codeMessage({ device, purpose, program }: CodeSubject, window: number, number: number): string {
  return ['porchlight-code-1', device, purpose, program, String(window), String(number)].join('\n');
}

/** Eight digits without the spaces and dashes that people type; null if it is something else, such as a PIN. */
export function readOneTimeCode(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, '');
  return /^\d{8}$/.test(digits) ? digits : null;
}

/** The answer of `GET /agent/code-secret`. `secret`: 32 bytes as base64url. */
export const codeSecret = z.object({ id: z.uuid(), secret: z.string().length(43) });
export type CodeSecret = z.infer<typeof codeSecret>;

/** A code as a guardian sees it, once. `until`: the end of the last window in which the agent takes it. `program`: its name. */
export const shownCode = z.object({
  code: z.string().regex(/^\d{8}$/),
  purpose: codePurpose,
  device_name: z.string(),
  program: z.string().nullable(),
  until: time,
});
export type ShownCode = z.infer<typeof shownCode>;

export const oneTimeCodeEndpoints = endpoints({
  'POST /guardian/:id/codes': {
    summary:
      'Open a one-time code for one device and one purpose (P10.7); `identifier` of the program only for `allow`; `code` as in P10.2',
    access: 'guardian',
    params: idParam,
    body: z.object({
      device: uuid,
      purpose: codePurpose,
      identifier: z.string().min(1).max(300).optional(),
      code: answerCode,
    }),
    answer: shownCode,
    errors: ['guardian_inactive', ...answerErrors, 'codes_spent'],
  },
});
