import { createHmac } from 'node:crypto';

/**
 * The signature of what Twilio posts (https://www.twilio.com/docs/usage/security): HMAC-SHA1 with the account's token, over the address it posts to and
 * each field's name and value in the order of the names. Written apart from the server's own, which checks it.
 */
export function twilioSignature(auth_token: string, url: string, fields: URLSearchParams): string {
  const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => name + value);
  return createHmac('sha1', auth_token)
    .update(url + sorted.join(''), 'utf8')
    .digest('base64');
}
