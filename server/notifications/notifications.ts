import type { FastifyInstance } from 'fastify';
import type { Trx } from '../db/open.ts';
import type { Gates } from '../http/gates.ts';
import type { Kernel } from '../kernel.ts';
import type { OptOutLookup } from '../ports.ts';
import type { Sealer } from '../secrets/seal.ts';
import { deliveryStore } from './deliveries.ts';
import { fallbacks } from './fallback.ts';
import { type InboundDeps, inboundSms } from './inbound-sms.ts';
import { type NotifierDeps, notifier } from './notify.ts';
import { withRawForms } from './signed-form.ts';
import { unsubscribeRoutes } from './unsubscribe.ts';
import { unsubscribeLinks } from './unsubscribe-links.ts';

/** `phone`: E.164; null without a verified number, or while SMS are off. */
export interface ReachableGuardian {
  uuid: string;
  account: string;
  name: string;
  mail: boolean;
  phone: string | null;
}

export interface NotificationDeps extends Pick<Kernel, 'db' | 'clock' | 'enqueue'> {
  sealer: Pick<Sealer, 'mac'>;
  public_url: string;
  dashboard_url: string;
  sms: boolean;
  pushServicesOf: NotifierDeps['pushServicesOf'];
  hasSigned(url: string, fields: URLSearchParams, signature: string): boolean;
  holderOf: NotifierDeps['holderOf'];
  renamesOf: NotifierDeps['renamesOf'];
  settingsOf: NotifierDeps['settingsOf'];
  /** False if the account does not exist. */
  endWeekly(trx: Trx, account: string): Promise<boolean>;
  phones: {
    optedOutOf: OptOutLookup;
    setOptedOut(number: string, out: boolean, trx: Trx): Promise<void>;
  };
  guardians: {
    active: NotifierDeps['activeGuardians'];
    reachable(uuid: string, trx: Trx): Promise<ReachableGuardian | null>;
    withPhone(number: string, trx: Trx): Promise<ReachableGuardian[]>;
    endMail(trx: Trx, uuid: string): Promise<unknown>;
    /** Ends emails once no incident of the account is open. */
    endMailLater(trx: Trx, uuid: string): Promise<unknown>;
    endWeekly(trx: Trx, uuid: string): Promise<unknown>;
    isInIncident(account: string, trx: Trx): Promise<boolean>;
    /** False if the guardian does not exist. */
    refuse(trx: Trx, uuid: string): Promise<boolean>;
    /** The account of an active or invited guardian. */
    ofAccount(trx: Trx, uuid: string): Promise<{ account: string; accepted: boolean; mail: boolean } | null>;
  };
}

export function notifications(deps: NotificationDeps) {
  const { db, clock, phones, guardians } = deps;
  const deliveries = deliveryStore(db, clock);
  const links = unsubscribeLinks(deps.sealer, deps.public_url);
  const optedOut = phones.optedOutOf;
  const notify = notifier({
    ...deps,
    activeGuardians: guardians.active,
    optedOut,
    expect: deliveries.expect,
    smsSince: deliveries.smsSince,
    unsubscribe: links.ofNotification,
  });
  const { smsSince } = deliveries;
  const handlers = fallbacks({
    ...{ ...deps, notify, optedOut, deliveries, smsSince },
    activeGuardians: guardians.active,
    unsubscribe: links.ofNotification,
  });
  /** A guardian without a channel cannot warn, so all other people are notified at once, by every channel (P10.4). */
  const unreached = async (trx: Trx, { uuid, account, name, mail, phone }: ReachableGuardian): Promise<void> => {
    if (mail || (phone !== null && !(await optedOut([phone], trx)).has(phone))) return;
    await notify(trx, account, { kind: 'unreached', facts: { uuid, name, now: clock.now() } });
  };

  const endMail = async (trx: Trx, uuid: string) => {
    const before = await guardians.reachable(uuid, trx);
    if (!before) return guardians.refuse(trx, uuid);
    if (!before.mail) return true;
    // A holder in trouble needs everybody until it is over (P5.5).
    if (await guardians.isInIncident(before.account, trx)) {
      await guardians.endMailLater(trx, uuid);
      return true;
    }
    await guardians.endMail(trx, uuid);
    await unreached(trx, { ...before, mail: false });
    return true;
  };
  const optOut = (number: string) =>
    db.transaction().execute(async (trx) => {
      if ((await optedOut([number], trx)).size > 0) return;
      await phones.setOptedOut(number, true, trx);
      for (const guardian of await guardians.withPhone(number, trx)) await unreached(trx, guardian);
    });

  return {
    notify,
    deliveries,
    links,
    unreached,
    handlers,
    routes: (app: FastifyInstance, gates: Gates, { onIt }: Pick<InboundDeps, 'onIt'>) =>
      withRawForms(app, (scope) => {
        inboundSms(scope, {
          gates,
          public_url: deps.public_url,
          hasSigned: deps.hasSigned,
          deliveries,
          optOut,
          onIt,
          optIn: (number) => db.transaction().execute((trx) => phones.setOptedOut(number, false, trx)),
        });
        unsubscribeRoutes(scope, {
          db,
          gates,
          read: links.read,
          async holderOfGuardian(trx, uuid) {
            const guardian = await guardians.ofAccount(trx, uuid);
            if (!guardian) return null;
            const { account, accepted, mail } = guardian;
            const later = accepted && mail && (await guardians.isInIncident(account, trx));
            return { accepted, later, name: (await deps.holderOf(account, trx)).name };
          },
          end: {
            guardian: endMail,
            async weekly_guardian(trx, uuid) {
              if (!(await guardians.reachable(uuid, trx))) return false;
              await guardians.endWeekly(trx, uuid);
              return true;
            },
            weekly_holder: deps.endWeekly,
          },
        });
      }),
  };
}
