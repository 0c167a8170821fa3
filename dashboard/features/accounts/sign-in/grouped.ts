/** `ABCDEFGH` → `ABCD EFGH`: easier to read and to type. Apps ignore the spaces. */
export const inFours = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';
