import { simulatorAccess } from '@porchlight/simulators/access.ts';
import type { Mailbox } from '@porchlight/simulators/mailbox/mailbox.ts';
import { mailboxRoutes } from '@porchlight/simulators/mailbox/pages.ts';
import type { PushSimulator } from '@porchlight/simulators/push/push.ts';
import { pushSimulatorRoutes } from '@porchlight/simulators/push/routes.ts';
import { stripePages } from '@porchlight/simulators/stripe/pages/routes.ts';
import type { StripeSimulator } from '@porchlight/simulators/stripe/stripe.ts';
import type { TwilioSimulator } from '@porchlight/simulators/twilio/twilio.ts';
import type { App } from './app-types.ts';
import type { Config } from './config.ts';
import { fail } from './lib/errors.ts';
import { simulatorKeyIn } from './secrets/secret-key.ts';

interface Simulators {
  mailbox: Mailbox | null;
  twilioSimulator: TwilioSimulator | null;
  pushSimulator: PushSimulator | null;
  stripeSimulator: StripeSimulator | null;
}

/** Returns a sentence about each page of a simulator, opened or not. */
export async function openSimulatorPages(
  config: Config,
  http: App['http'],
  { mailbox, twilioSimulator, pushSimulator, stripeSimulator }: Simulators,
): Promise<string[]> {
  const { mail, texts, payments } = config.simulator_pages;
  const key = await simulatorKeyIn(config.data_dir);
  const access = simulatorAccess(key, config.public_url.startsWith('https:'), () => fail('not_found'));
  const messages: string[] = [];
  const page = (name: string, path: string, open: boolean, setting: string) =>
    messages.push(
      open
        ? `${name}: ${config.public_url}/dev/${path}?key=${key}`
        : `${name}: its page is closed, because people reach this server by another name than this computer's. ${setting} opens it.`,
    );
  const [shownMails, shownTexts] = [mail ? mailbox : null, texts ? twilioSimulator : null];
  if (shownMails || shownTexts) mailboxRoutes(http, access, { mailbox: shownMails, twilioSimulator: shownTexts, pushSimulator });
  if (pushSimulator) pushSimulatorRoutes(http, access, pushSimulator);
  if (mailbox) page('Local mailbox', 'mailbox', mail, 'SMTP_URL=mailbox:');
  if (twilioSimulator && (!mailbox || texts !== mail)) page('Local texts', 'mailbox', texts, 'TWILIO_API_BASE=mailbox:');
  if (stripeSimulator && payments) stripePages(http, access, stripeSimulator);
  if (stripeSimulator) page('Test shop', 'payments', payments, 'STRIPE_API_BASE=till:');
  return messages;
}
