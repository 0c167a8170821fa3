import { type Given, known, type Name } from './known.ts';

/** What works only together. */
const together: Name[][] = [
  ['CHAT_BASE_URL', 'CHAT_WEBSITE_TOKEN', 'CHAT_IDENTITY_KEY'],
  ['ANALYTICS_URL', 'ANALYTICS_DOMAIN'],
];
const twilio: Name[] = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'];
const stripe: Name[] = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'];

/** What has to be set beside what is set, a sentence each. */
export function missingSettings(given: Given): string[] {
  const production = given.NODE_ENV === 'production';
  const wrong: string[] = [];
  const miss = (hint: string, ...names: Name[]) => {
    for (const name of names) if (!given[name]) wrong.push(`${name} is missing: ${known[name].should}.${production ? hint : ''}`);
  };
  if (production) {
    if (given.DATABASE_URL) miss('', 'SECRET_KEY');
    miss(' (SMTP_URL=mailbox: uses the local mailbox.)', 'SMTP_URL');
    if (given.SMTP_URL !== 'mailbox:') miss('', 'MAIL_FROM');
    miss('', 'PUBLIC_URL');
  }
  for (const names of together) if (names.some((name) => given[name])) miss('', ...names);
  const texts = production || [...twilio, 'TWILIO_API_BASE' as const].some((name) => given[name]);
  if (texts && given.FEATURE_SMS !== 'off' && given.TWILIO_API_BASE !== 'mailbox:') {
    miss(' (TWILIO_API_BASE=mailbox: uses the local mailbox.)', ...twilio);
  }
  const payments = production || [...stripe, 'STRIPE_API_BASE' as const].some((name) => given[name]);
  if (payments && given.STRIPE_API_BASE !== 'till:') {
    miss(' (STRIPE_API_BASE=till: uses the test shop, where nothing is charged.)', ...stripe);
  }
  return wrong;
}
