import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * How Twilio signs what it posts (https://www.twilio.com/docs/usage/security): HMAC-SHA1 with the account's token, over the address it posts to and each
 * field's name and value in the order of the names. `fields`: of the form; what comes twice with one value counts once.
 */
export function twilioSignature(auth_token: string, url: string, fields: URLSearchParams): string {
  const names = [...new Set(fields.keys())].sort();
  const text = names.map((name) => [...new Set(fields.getAll(name))].sort().map((value) => name + value));
  return createHmac('sha1', auth_token)
    .update(url + text.flat().join(''), 'utf8')
    .digest('base64');
}

/** Was this posted by Twilio? Twilio has signed addresses with and without their port, so both count. */
export function isSignedByTwilio(auth_token: string, url: string, fields: URLSearchParams, signature: string): boolean {
  const given = Buffer.from(signature);
  return [url, withoutPort(url), withPort(url)].some((address) => {
    const right = Buffer.from(twilioSignature(auth_token, address, fields));
    return given.length === right.length && timingSafeEqual(given, right);
  });
}

const withoutPort = (url: string) => url.replace(/^(https?:\/\/[^/:]+):\d+/, '$1');
const withPort = (url: string) =>
  url.replace(
    /^(https?):\/\/([^/:]+)(?=\/|$)/,
    (_all, scheme: string, host: string) => `${scheme}://${host}:${scheme === 'https' ? 443 : 80}`,
  );
