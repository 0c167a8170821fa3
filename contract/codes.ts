import { serverLimits } from './server-limits.ts';

/**
 * A device code as a person may type it, brought to the form `ABCD-EFGH`: case, spaces and the dash do not matter (P3.1, P3.4).
 * Null when it cannot be one.
 */
export function readDeviceCode(typed: string): string | null {
  const bare = typed.toUpperCase().replace(/[\s\-\u2013\u2014_]/g, '');
  if (bare.length !== serverLimits.device_code_length) return null;
  for (const c of bare) if (!serverLimits.device_code_alphabet.includes(c)) return null;
  return `${bare.slice(0, 4)}-${bare.slice(4)}`;
}
