import { z } from 'zod';

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

/** As people read it: `1234 5678`. */
export const spokenCode = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;

/** The answer of `GET /agent/code-secret`. `secret`: 32 bytes as base64url. */
export const codeSecret = z.object({ id: z.uuid(), secret: z.string().length(43) });
export type CodeSecret = z.infer<typeof codeSecret>;
