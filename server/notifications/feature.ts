import type { FastifyInstance } from 'fastify';
import type { Trx } from '../db/open.ts';
import type { Kernel } from '../kernel.ts';
import type { OptOutLookup } from '../ports.ts';
import { type CallJobDeps, callJob } from './calls/call-job.ts';
import type { CallRules } from './calls/call-script.ts';
import { callStore } from './calls/call-store.ts';
import { type CallWebhookDeps, callWebhooks } from './calls/call-webhooks.ts';
import type { InboundDeps } from './inbound-sms.ts';
import { type NotificationDeps, notifications } from './notifications.ts';
import { type QuotedHolder, quoterOf } from './quoted-facts.ts';
import { renameStore } from './renames.ts';
import { settingsStore } from './settings.ts';
import { settingsRoutes } from './settings-routes.ts';

interface NotificationAsks extends Pick<NotificationDeps, 'pushServicesOf' | 'hasSigned' | 'holderOf' | 'guardians'> {
  phones: NotificationDeps['phones'] & { optedOut: CallJobDeps['isOptedOut']; optedOutOf: OptOutLookup };
  /** Null: this server makes no calls. */
  call: CallJobDeps['call'];
  hasSignedCall: CallWebhookDeps['hasSigned'];
}

/** One way out for all messages and calls. */
export function notificationFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'sealer' | 'budgets' | 'settings' | 'nameOf'>,
  { call, hasSignedCall, ...asks }: NotificationAsks,
) {
  const { db, clock, enqueue } = kernel;
  const { public_url, countries } = kernel.settings;
  const settings = settingsStore(db);
  const renames = renameStore(clock);
  const store = callStore(db, clock, enqueue);
  const { notify, deliveries, links, unreached, handlers, routes } = notifications({
    ...{ ...kernel, ...kernel.settings, ...asks, settingsOf: settings.of, endWeekly: settings.endWeekly },
    renamesOf: renames.of,
  });
  return {
    ports: {
      notify,
      unreached,
      settings,
      deliveriesOf: deliveries.of,
      resultsOf: deliveries.resultsOf,
      mailFails: deliveries.holderMailFails,
      noteRename: renames.note,
      /** How pages of the account quote its names now (P18.1). */
      async quotedHolder(account: string): Promise<QuotedHolder> {
        const quoter = quoterOf(account, await renames.of(account, db));
        return { quoter, holder: quoter.name(await kernel.nameOf(account), 'holder') };
      },
      unsubscribe: links.ofGuardian,
      placeCall: store.place,
      /** Links the email of an invitation to the guardian, so that the holder sees when it bounces (P5.4). */
      noteInvitation: (trx: Trx, { uuid, account, name }: { uuid: string; account: string; name: string }, key: string) =>
        deliveries.expect(trx, { key, account, kind: 'invitation', about: uuid, guardian: uuid, name, channel: 'mail' }),
    },
    jobs: handlers,
    settled: deliveries.settled,
    callJob: (rules: CallRules) => callJob({ ...kernel, countries, store, rules, call, isOptedOut: asks.phones.optedOut }),
    async routes(http: FastifyInstance, web: Pick<Kernel, 'gates' | 'weakening'> & Pick<InboundDeps, 'onIt'> & { rules: CallRules }) {
      const { gates, weakening, onIt, rules } = web;
      await routes(http, gates, { onIt });
      await callWebhooks(http, { gates, clock, public_url, hasSigned: hasSignedCall, store, rules });
      settingsRoutes(http, { gates, settings, weakening });
    },
  };
}
