import { mostDevices } from '@porchlight/contract/subscriptions.ts';
import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import type { Db } from '../db/open.ts';
import { signupCodeStore } from '../features/accounts/signup-codes.ts';
import { accountStore } from '../features/accounts/store.ts';
import { reportStore } from '../features/definitions/reports.ts';
import { siteListStore } from '../features/definitions/site-lists.ts';
import { definitionStore } from '../features/definitions/store.ts';
import { deviceStore } from '../features/devices/store.ts';
import { doubtStore } from '../features/subscriptions/doubts.ts';
import { paymentAccountStore } from '../features/subscriptions/payment-account.ts';
import { supportStore } from '../features/support/store.ts';
import type { Payments } from '../integrations/payments/payments.ts';
import { deadLetters } from '../jobs/dead-letters.ts';
import type { Clock } from '../lib/clock.ts';
import type { Sealer } from '../lib/seal.ts';
import { deliveryStore } from '../notifications/deliveries.ts';
import { promosAt } from './promos-at-stripe.ts';

export type Parts = ReturnType<typeof buildParts>;
/** What a command does once the database is open; answers the sentences for the person who typed it. */
export type Work = (on: Parts) => Promise<string[]>;
/** Reads everything that was typed, before anything is opened or changed. */
export type Command = (args: string[], now: Date) => Work;

/** The same stores that the server writes with. */
export function buildParts(db: Db, clock: Clock, public_url: string, sealerOf: () => Promise<Sealer>, payments: () => Promise<Payments>) {
  const accounts = accountStore(db, clock);
  return {
    accounts,
    signupCodes: signupCodeStore(db, clock),
    support: supportStore(db),
    deadLetters: deadLetters(db, clock, deliveryStore(db, clock).settled),
    /** Only who asks for them needs SECRET_KEY. */
    definitions: async () => definitionStore(db, clock, await sealerOf()),
    siteLists: siteListStore(db, clock),
    wrongMatches: reportStore(db, clock),
    /** Only who asks for them waits for Stripe. */
    promos: async () => promosAt((await payments()).stripe),
    payments,
    paymentAccounts: paymentAccountStore(db, clock),
    doubts: doubtStore(db, clock),
    /** What the devices of an account may do changed: their agents hear of it. */
    policiesChange: (account: string) => deviceStore(db, clock).bumpPolicies(db, account),
    /** Where the dashboard is, without a slash at the end. */
    dashboard_url: `${public_url}/dashboard`,
    accountOf: async (email: string) => {
      const account = await accounts.byEmail(email);
      if (!account) throw new Usage(`There is no account with the address ${email}; check it, or ask the person to register first.`);
      return account;
    },
  };
}

export const devices = (n: number) => (n === 1 ? '1 device' : `${n} devices`);

/** `5 devices, managed externally, for life`; without a number such a plan has no limit. */
export function giftInWords(gift: { device_limit: number; external: boolean; lifetime: boolean }): string {
  const most = mostDevices(gift);
  return [
    most === Number.POSITIVE_INFINITY ? 'any number of devices' : devices(most),
    gift.external ? 'managed externally' : '',
    gift.lifetime ? 'for life' : '',
  ]
    .filter(Boolean)
    .join(', ');
}
