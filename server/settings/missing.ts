import { type GivenSettings, knownSettings, type SettingName } from './known.ts';

const groups: SettingName[][] = [
  ['CHAT_BASE_URL', 'CHAT_WEBSITE_TOKEN', 'CHAT_IDENTITY_KEY'],
  ['ANALYTICS_URL', 'ANALYTICS_DOMAIN'],
  ['WINDOWS_CERTIFICATE', 'WINDOWS_CERTIFICATE_PASSWORD_FILE'],
];
const twilio: SettingName[] = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'];
const stripe: SettingName[] = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'];

const isThisComputer = (host: string) => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);

/** A sentence for each missing setting that other settings need. */
export function missingSettings(settings: GivenSettings): string[] {
  const production = settings.NODE_ENV === 'production';
  const errors: string[] = [];
  const requireSettings = (hint: string, ...names: SettingName[]) => {
    for (const name of names)
      if (!settings[name]) errors.push(`${name} is missing: ${knownSettings[name].should}.${production ? hint : ''}`);
  };
  if (settings.METRICS_PORT && !isThisComputer(settings.METRICS_HOST ?? '127.0.0.1')) requireSettings('', 'METRICS_TOKEN');
  // Such a gateway has no database, and sends nothing.
  if (settings.ROLE === 'gateway' && settings.NATS_URL) return errors;
  if (production) {
    if (settings.DATABASE_URL) requireSettings('', 'SECRET_KEY');
    requireSettings(' (SMTP_URL=mailbox: uses the local mailbox.)', 'SMTP_URL');
    if (settings.SMTP_URL !== 'mailbox:') requireSettings('', 'MAIL_FROM');
    requireSettings('', 'PUBLIC_URL');
  }
  // The project's key signs only the project's feed, and nobody would notice that nothing is taken.
  if ((settings.DEFINITIONS_FEED ?? 'off') !== 'off') requireSettings('', 'DEFINITIONS_FEED_KEY');
  for (const names of groups) if (names.some((name) => settings[name])) requireSettings('', ...names);
  const texts = production || [...twilio, 'TWILIO_API_BASE' as const].some((name) => settings[name]);
  if (texts && settings.FEATURE_SMS !== 'off' && settings.TWILIO_API_BASE !== 'mailbox:') {
    requireSettings(' (TWILIO_API_BASE=mailbox: uses the local mailbox.)', ...twilio);
  }
  const payments = production || [...stripe, 'STRIPE_API_BASE' as const].some((name) => settings[name]);
  if (payments && settings.STRIPE_API_BASE !== 'till:') {
    requireSettings(' (STRIPE_API_BASE=till: uses the test shop, where nothing is charged.)', ...stripe);
  }
  return errors;
}
