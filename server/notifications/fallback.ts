import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../db/open.ts';
import type { MailJob, SmsJob } from '../jobs/kinds.ts';
import { urgencyOf } from '../jobs/lanes.ts';
import type { Enqueue } from '../jobs/queue.ts';
import type { JobHandlers } from '../jobs/worker.ts';
import { after, type Clock } from '../lib/clock.ts';
import type { Notify, OptOutLookup } from '../ports.ts';
import type { DeliveryStore } from './deliveries.ts';
import { fallbackKey, isFallback } from './fallback-jobs.ts';
import { type NotifierDeps, smsLeft } from './notify.ts';
import { isUnreachable, noResults } from './reach.ts';
import { emailInsteadOf, smsInsteadOf } from './render/fallback.ts';
import type { Category } from './render/rendering.ts';

export interface FallbackDeps
  extends Pick<NotifierDeps, 'holderOf' | 'settingsOf' | 'activeGuardians' | 'smsSince' | 'unsubscribe' | 'sms' | 'dashboard_url'> {
  db: Db;
  clock: Clock;
  enqueue: Enqueue;
  notify: Notify;
  optedOut: OptOutLookup;
  deliveries: Pick<DeliveryStore, 'failed' | 'exists' | 'expect' | 'resultsOf' | 'lastSent'>;
}

type Failed = NonNullable<Awaited<ReturnType<DeliveryStore['failed']>>>;

/** Null for a channel that is switched off or not verified. */
interface Channels {
  email: string | null;
  phone: string | null;
  /** The page that shows what happened. */
  url: string;
}

/** Notifications that must reach people. The weekly report can be read on the page, and an invitation has its own note. */
const necessaryKinds: string[] = ['alert', 'scan', 'outage', 'act', 'drill'] satisfies Category[];

/** One channel failing permanently starts the other one, once for each person and notification (P11.4). */
export function fallbacks(deps: FallbackDeps): Pick<JobHandlers, 'fallback' | 'guardian_unreachable'> {
  const { db, clock, enqueue, deliveries } = deps;

  const guardianOf = async (trx: Trx, account: string, uuid: string) =>
    (await deps.activeGuardians(account, trx)).find((guardian) => guardian.uuid === uuid);

  const channelsOf = async (trx: Trx, { account, guardian: uuid }: Failed): Promise<Channels | null> => {
    if (uuid !== null) {
      const guardian = await guardianOf(trx, account, uuid);
      return guardian ? { email: guardian.mail ? guardian.email : null, phone: guardian.phone, url: guardian.link } : null;
    }
    const [{ email, phone_number, phone_number_verified }, settings] = [
      await deps.holderOf(account, trx),
      await deps.settingsOf(account, trx),
    ];
    return {
      email: settings.mail ? email : null,
      phone: settings.sms && phone_number_verified ? phone_number : null,
      url: deps.dashboard_url,
    };
  };

  const takesSms = async (trx: Trx, number: string, account: string, category: Category) =>
    deps.sms && !(await deps.optedOut([number], trx)).has(number) && (await smsLeft(trx, deps, account, { category })) > 0;

  /** The content of a job that was done before it failed is deleted. */
  const contentOf = <T extends MailJob | SmsJob>({ payload }: Failed): T | null => ('to' in payload ? (payload as T) : null);

  const start = async (trx: Trx, key: string, failed: Failed) => {
    const { account, kind, about, guardian, name, lane, created } = failed;
    const category = kind as Category;
    const channel = failed.channel === 'mail' ? 'sms' : 'mail';
    const expected = { key: fallbackKey(key), account, kind: category, about, guardian, name, channel } as const;
    const channels = await channelsOf(trx, failed);
    if (!channels || (await deliveries.exists(trx, expected))) return;
    const { email, phone, url } = channels;
    const options = { urgency: urgencyOf(lane) };
    if (channel === 'sms') {
      const mail = contentOf<MailJob>(failed);
      if (!mail || phone === null || !(await takesSms(trx, phone, account, category))) return;
      const sms = { to: phone, notification: true, ...smsInsteadOf(mail, created, url) };
      if (await enqueue(trx, 'sms', expected.key, sms, undefined, options)) await deliveries.expect(trx, expected);
    } else if (email !== null) {
      const unsubscribe = deps.unsubscribe(category, { account, guardian });
      const mail = { to: email, ...emailInsteadOf(contentOf<SmsJob>(failed), created, url), ...(unsubscribe ? { unsubscribe } : {}) };
      if (await enqueue(trx, 'mail', expected.key, mail, undefined, options)) await deliveries.expect(trx, expected);
    }
  };

  return {
    fallback: ({ delivery }) =>
      db.transaction().execute(async (trx) => {
        const failed = await deliveries.failed(trx, delivery);
        if (!failed) return;
        if (necessaryKinds.includes(failed.kind) && !isFallback(delivery)) await start(trx, delivery, failed);
        if (failed.guardian === null) return;
        // Later, since a mail server that refuses everyone seems to refuse the first of them alone (P11.3), and the other channel may work.
        const time = after(clock.now(), serverLimits.unreachable_after);
        const { account, guardian } = failed;
        await enqueue(trx, 'guardian_unreachable', `guardian_unreachable:${delivery}`, { account, guardian }, time);
      }),

    /** The others hear it once, and again only after something has reached this guardian. */
    guardian_unreachable: ({ account, guardian: uuid }) =>
      db.transaction().execute(async (trx) => {
        const guardian = await guardianOf(trx, account, uuid);
        if (!guardian) return;
        const { name, mail, phone, phone_verified_time } = guardian;
        const sms = deps.sms && phone !== null && !(await deps.optedOut([phone], trx)).has(phone);
        // Who has switched everything off was reported when they did.
        if (!mail && !sms) return;
        const results = (await deliveries.resultsOf(account, trx)).get(uuid) ?? noResults;
        if (!isUnreachable({ mail, sms, phone_verified_time }, results)) return;
        const last_sent = await deliveries.lastSent(trx, account, uuid);
        await deps.notify(trx, account, { kind: 'unreachable', facts: { uuid, name, mail, sms, last_sent } });
      }),
  };
}
