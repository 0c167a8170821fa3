import { createHmac } from 'node:crypto';

/**
 * Twilio's signature (https://www.twilio.com/docs/usage/security): HMAC-SHA1 with the account's token over the address and the sorted
 * fields. Independent of the server's own code, which it tests.
 */
export function twilioSignature(auth_token: string, url: string, fields: URLSearchParams): string {
  const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => name + value);
  return createHmac('sha1', auth_token)
    .update(url + sorted.join(''), 'utf8')
    .digest('base64');
}
