import { counted } from '@porchlight/contract/language.ts';
import { mostDevices } from '@porchlight/contract/subscriptions.ts';
import { type CommandHelp, Failure, Usage } from '@porchlight/definitions/cli/command-line.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/open.ts';
import type { AccountKeys } from '../db/owned-rows.ts';
import { accountDeletion } from '../features/account-data/deletion.ts';
import { accountExport } from '../features/account-data/export.ts';
import { addressConfirmation } from '../features/accounts/confirm-address.ts';
import { accountDirectory } from '../features/accounts/directory.ts';
import { linkStore } from '../features/accounts/links.ts';
import { lockoutEnding } from '../features/accounts/lockouts.ts';
import { phoneStore } from '../features/accounts/phone-store.ts';
import { authenticatorStore } from '../features/accounts/sign-in-methods/authenticator-store.ts';
import { recoveryCodeStore } from '../features/accounts/sign-in-methods/recovery-codes.ts';
import { secondStepRemoval } from '../features/accounts/sign-in-methods/second-step-removal.ts';
import { signupCodeStore } from '../features/accounts/signup-codes.ts';
import { accountStore } from '../features/accounts/store.ts';
import { activityLogging } from '../features/activity-log/gate.ts';
import { activityStore } from '../features/activity-log/store.ts';
import { queueFetch } from '../features/definitions/queue-fetch.ts';
import { reportStore } from '../features/definitions/reports.ts';
import { siteListStore } from '../features/definitions/site-lists.ts';
import { definitionStore } from '../features/definitions/store.ts';
import { upstreamStore } from '../features/definitions/upstream-store.ts';
import { deviceRows } from '../features/devices/device-rows.ts';
import { deviceStore } from '../features/devices/store.ts';
import { guardianRecipients } from '../features/guardians/recipients.ts';
import { guardianStore } from '../features/guardians/store.ts';
import { withoutGuardians } from '../features/guardians/switched-off.ts';
import { holdFactStore } from '../features/held-requests/fact-store.ts';
import { operatorHolds } from '../features/held-requests/operator-holds.ts';
import { incidentStore } from '../features/incidents/store.ts';
import { pushStore } from '../features/push/store.ts';
import type { CallStripe } from '../features/subscriptions/ask.ts';
import { planCancelling } from '../features/subscriptions/cancel.ts';
import { doubtStore } from '../features/subscriptions/doubts.ts';
import {
  accountOfKey,
  foreignInWords,
  isSameAccount,
  type PaymentAccountStore,
  paymentAccountStore,
} from '../features/subscriptions/payment-account.ts';
import { subscriptionStore } from '../features/subscriptions/store.ts';
import { supportStore } from '../features/support/store.ts';
import { holdSettingsStore } from '../features/who-may-answer/hold-settings.ts';
import { attemptsForgotten, countKeys } from '../http/rate-limit.ts';
import type { Payments } from '../integrations/payments/payments.ts';
import { deadLetters } from '../jobs/dead-letters.ts';
import { enqueuer } from '../jobs/queue.ts';
import type { Clock } from '../lib/clock.ts';
import { deliveryStore } from '../notifications/deliveries.ts';
import { operatorNotifier } from '../notifications/operator-notifier.ts';
import type { Sealer } from '../secrets/seal.ts';
import type { Network } from './network.ts';
import { promosAt } from './promos-at-stripe.ts';

export type CommandDeps = ReturnType<typeof buildCommandDeps>;
/** Runs a command; returns the sentences to print. */
export type CommandRun = (deps: CommandDeps) => Promise<string[]>;
/** A command that runs with the settings read and the database open and migrated. */
interface DatabaseCommand extends CommandHelp {
  /** Parses the arguments, before anything is opened or changed. Throws `Usage`. */
  read: (args: string[], now: Date) => CommandRun;
}

/** What a command gets that must work with wrong settings, or without a database. */
export interface Surroundings {
  /** The environment, unchecked; `readConfig` parses it. */
  env: NodeJS.ProcessEnv;
  clock: Clock;
  network: Network;
}

export interface CommandReport {
  /** 1: the command worked, and what it found is an error. */
  code: 0 | 1;
  sentences: string[];
}

/** A command that reads the settings and opens the database by itself, where it does so at all. */
interface StandaloneCommand extends CommandHelp {
  /** Parses the arguments, before anything is opened or changed. Throws `Usage`. */
  readStandalone: (args: string[]) => (surroundings: Surroundings) => Promise<CommandReport>;
}

export type Command = DatabaseCommand | StandaloneCommand;

export function buildCommandDeps(
  db: Db,
  clock: Clock,
  { public_url, features, push, definitions_feed }: Pick<Config, 'public_url' | 'features' | 'push' | 'definitions_feed'>,
  sealerOf: () => Promise<Sealer>,
  payments: () => Promise<Payments>,
) {
  const accounts = accountStore(db, clock, features.phone_verification);
  const dashboard_url = `${public_url}/dashboard`;
  const isInIncident = incidentStore(db, clock).hasOpen;
  const guardiansOf = async () => {
    const guardians = guardianStore(db, clock, await sealerOf(), features.phone_verification);
    return features.guardians ? guardians : withoutGuardians(guardians);
  };
  const notifyOf = async () =>
    operatorNotifier({
      ...{ db, clock, public_url, dashboard_url, sms: features.sms },
      sealer: await sealerOf(),
      holderOf: accounts.byUuid,
      activeGuardians: guardianRecipients({
        ...{ dashboard_url, isInIncident },
        store: await guardiansOf(),
      }).active,
      optedOut: phoneStore(db, clock).optedOutOf,
      pushServicesOf: push.by === 'off' ? 'off' : pushStore(db, clock, await sealerOf()).servicesOf,
    });
  const devicesStored = deviceStore(db, clock);
  const paymentAccounts = paymentAccountStore(db, clock);
  const plans = subscriptionStore(db, clock);
  return {
    accounts,
    directory: accountDirectory(db),
    planOf: plans.of,
    exportOf: accountExport(db, clock),
    deletion: accountDeletion({
      ...{ db, isInIncident },
      enqueue: enqueuer(clock),
      removeDevice: devicesStored.remove,
      forgetAttempts: async (trx, email) => attemptsForgotten(countKeys(await sealerOf()))(trx, email),
      /** An account that never paid needs no Stripe. */
      cancelPlans: async (account) => {
        if ((await plans.customerOf(account)) === null) return 0;
        const opened = await payments();
        return planCancelling({ stripe: opened.stripe, ask: onOurAccount(opened, paymentAccounts), store: plans })(account);
      },
    }),
    endLockouts: async (account: AccountKeys) => lockoutEnding(db, clock, countKeys(await sealerOf()))(account),
    confirmAddress: addressConfirmation({ db, store: accounts, links: linkStore(clock) }),
    signupCodes: signupCodeStore(db, clock),
    support: supportStore(db),
    deadLetters: deadLetters(db, clock, deliveryStore(db, clock).settled),
    /** Commands that neither sign, seal nor find counted attempts do not need SECRET_KEY. */
    definitions: async () => definitionStore(db, clock, await sealerOf()),
    siteLists: siteListStore(db, clock),
    /** Null without a feed. */
    upstream: definitions_feed && { url: definitions_feed.url, ...upstreamStore(db, clock, definitions_feed.root) },
    now: clock.now,
    fetchListsNow: () => queueFetch(enqueuer(clock), db, clock.now(), 'accepted'),
    wrongMatches: reportStore(db, clock),
    promos: async () => promosAt((await payments()).stripe),
    payments,
    paymentAccounts,
    doubts: doubtStore(db, clock),
    /** Wakes the account's agents, to fetch their new policies. */
    policiesChange: (account: string) => devicesStored.policyChanged(db, { account, device: null }),
    dashboard_url,
    /** Needs SECRET_KEY, for the links of notifications. */
    holds: async () =>
      operatorHolds({
        ...{ db, clock, notify: await notifyOf(), enqueue: enqueuer(clock) },
        ...{ settings: holdSettingsStore(db, clock), hasOpenIncident: isInIncident, devices: deviceRows },
      }),
    /** Needs SECRET_KEY, as `holds` does. */
    removeSecondStep: async () => {
      const sealer = await sealerOf();
      return secondStepRemoval({
        db,
        isInIncident,
        lockCalls: holdFactStore(clock, deviceRows).lockCalls,
        authenticators: authenticatorStore(clock, sealer),
        recoveryCodes: recoveryCodeStore(clock),
        weaken: activityLogging({
          ...{ clock, enqueue: enqueuer(clock), notify: await notifyOf() },
          store: activityStore(db, clock),
          nameOf: async (account, trx) => (await accounts.byUuid(account, trx)).name,
          alertUrl: async (_trx, _account, alert) => `${dashboard_url}/history?detectionId=${alert}`,
        }),
      });
    },
    activeGuardians: async (account: string) => (await guardiansOf()).active(account),
    accountOf: async (email: string) => {
      const account = await accounts.byEmail(email);
      if (!account) throw new Usage(`There is no account with the address ${email}; check it, or ask the person to register first.`);
      return account;
    },
  };
}

export const devices = (n: number) => counted(n, 'device');

/** `5 devices, managed externally, for life`, or `any number of devices`. */
export function giftInWords(gift: { device_limit: number; external: boolean; lifetime: boolean }): string {
  const deviceMax = mostDevices(gift);
  return [
    deviceMax === Number.POSITIVE_INFINITY ? 'any number of devices' : devices(deviceMax),
    gift.external ? 'managed externally' : '',
    gift.lifetime ? 'for life' : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** Calls Stripe only with the key of the account that the plans belong to: another one knows none of them (P14.2). */
function onOurAccount({ stripe, livemode }: Payments, accounts: Pick<PaymentAccountStore, 'get'>): CallStripe {
  let checked: Promise<void> | null = null;
  const check = async () => {
    const [keyAccount, storedAccount] = [await accountOfKey(stripe, livemode), await accounts.get()];
    if (keyAccount && storedAccount && !isSameAccount(storedAccount, keyAccount)) {
      throw new Failure(`Nothing was deleted. ${foreignInWords(storedAccount, keyAccount)}`);
    }
  };
  return async (call) => {
    checked ??= check();
    await checked;
    return call();
  };
}
