/** Device codes: eight characters in two groups, without 0 O 1 I L (P3.1). Not in `server-limits.ts`, since pages read codes too. */
export const device_code_alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
export const device_code_length = 8;

/** A typed device code as `ABCD-EFGH`; case, spaces and dashes do not matter (P3.1, P3.4). Null if the text cannot be a code. */
export function readDeviceCode(typedCode: string): string | null {
  const codeCharacters = typedCode.toUpperCase().replace(/[\s\-\u2013\u2014_]/g, '');
  if (codeCharacters.length !== device_code_length) return null;
  for (const c of codeCharacters) if (!device_code_alphabet.includes(c)) return null;
  return `${codeCharacters.slice(0, 4)}-${codeCharacters.slice(4)}`;
}
