import { sameSecret } from '../../secrets/same-secret.ts';

/**
 * Whether the header `Authorization` has the token. Guesses are not counted: twenty random characters are more than 80 bits, as the tokens of
 * sessions, and a count in the database would refuse the operator while it is away.
 */
export function hasToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer (\S+)$/i.exec(header ?? '')?.[1];
  return given !== undefined && sameSecret(given, token);
}
