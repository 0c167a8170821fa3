import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * https://www.twilio.com/docs/usage/security: HMAC-SHA1 over the URL and each field's name and value, sorted by name. A repeated name and
 * value counts once.
 */
export function twilioSignature(auth_token: string, url: string, fields: URLSearchParams): string {
  const names = [...new Set(fields.keys())].sort();
  const text = names.map((name) => [...new Set(fields.getAll(name))].sort().map((value) => name + value));
  return createHmac('sha1', auth_token)
    .update(url + text.flat().join(''), 'utf8')
    .digest('base64');
}

/** Twilio has signed URLs with and without the port, so both forms are valid. */
export function isSignedByTwilio(auth_token: string, url: string, fields: URLSearchParams, signature: string): boolean {
  const givenSignature = Buffer.from(signature);
  return [url, withoutPort(url), withPort(url)].some((address) => {
    const expectedSignature = Buffer.from(twilioSignature(auth_token, address, fields));
    return givenSignature.length === expectedSignature.length && timingSafeEqual(givenSignature, expectedSignature);
  });
}

const withoutPort = (url: string) => url.replace(/^(https?:\/\/[^/:]+):\d+/, '$1');
const withPort = (url: string) =>
  url.replace(
    /^(https?):\/\/([^/:]+)(?=\/|$)/,
    (_all, scheme: string, host: string) => `${scheme}://${host}:${scheme === 'https' ? 443 : 80}`,
  );
