const secretSettings = [
  'SECRET_KEY',
  'TWILIO_AUTH_TOKEN',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'CHAT_WEBSITE_TOKEN',
  'CHAT_IDENTITY_KEY',
];
const addressesWithPassword = ['DATABASE_URL', 'SMTP_URL', 'SENTRY_DSN'];

const mask = '***';

/** Shorter texts are everywhere, and replacing them would destroy the sentence. */
const minLength = 4;

/**
 * Replaces secrets in a text. Errors of libraries and answers of servers may repeat what they were sent, so the finished text is searched
 * for every secret rather than each sentence being trusted.
 */
export function secretMasker(env: NodeJS.ProcessEnv): (text: string) => string {
  const secrets = [
    ...secretSettings.map((name) => env[name] ?? ''),
    ...addressesWithPassword.flatMap((name) => passwordsIn(env[name] ?? '')),
  ]
    .filter((secret) => secret.length >= minLength)
    // The longest first: one may be a part of another.
    .sort((a, b) => b.length - a.length);
  return (text) =>
    secrets
      .reduce((masked, secret) => masked.replaceAll(secret, mask), text)
      // A password in an address, with or without a user.
      .replace(/(\w:\/\/[^\s/:@]*:)[^\s/]+@/g, `$1${mask}@`);
}

/** The text as it is written, decoded, and as SMTP sends it. An address may be too wrong to be parsed. */
function passwordsIn(address: string): string[] {
  const [, user = '', written = ''] = /^[\w+]+:\/\/([^:/]*):?([^/]*)@/.exec(address) ?? [];
  if (!written) return [];
  const decoded = decode(written);
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return [written, decoded, base64(decoded), base64(`\0${decode(user)}\0${decoded}`)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
