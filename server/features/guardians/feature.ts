import type { FastifyInstance } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import type { Kernel, Settings } from '../../kernel.ts';
import { firstName } from '../../texts/formatting.ts';
import { acknowledgementStore } from './acknowledgement-store.ts';
import { guardianDecliner } from './decline.ts';
import { lostLinkMails } from './lost-link.ts';
import { type MailEndDeps, mailEnds } from './mail-ends.ts';
import { activeLocked, activeNow } from './own-page.ts';
import { guardianRecipients, type RecipientDeps } from './recipients.ts';
import { type GuardianDeps, guardianRoutes } from './routes.ts';
import { type GuardianRow, guardianStore, guardiansInPolicy } from './store.ts';
import { nobodyInPolicy, withoutGuardians } from './switched-off.ts';
import { visitStore } from './visit-store.ts';

interface GuardianAsks extends Pick<RecipientDeps, 'isInIncident'>, Pick<GuardianDeps, 'holderOf' | 'optedOutOf' | 'mayInvite'> {
  /** False where the operator has switched guardians off. */
  enabled: boolean;
}

interface LateGuardianAsks
  extends Omit<
      GuardianDeps,
      keyof (Kernel & Settings & GuardianAsks) | 'store' | 'visits' | 'acknowledgements' | 'hasGuardians' | 'setKnown'
    >,
    Pick<Kernel, 'gates' | 'weaken' | 'weakening'> {
  /** The name of the device; undefined if it is not of the account. */
  setKnown(trx: Trx, guardian: { account: string; guardian: string }, device: string, known: boolean): Promise<string | null | undefined>;
}

interface LinkJobAsks extends Pick<GuardianDeps, 'unsubscribe'> {
  /** A reply that waited for the email would reveal that an address exists (P2.2). */
  answerFirst(): Promise<unknown>;
}

/** Relatives and friends who are alerted, and answer. */
export function guardianFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'enqueue' | 'limit' | 'budgets' | 'events' | 'settings' | 'nameOf'>,
  { enabled, ...asks }: GuardianAsks,
) {
  const { db, clock, sealer, settings } = kernel;
  const { isInIncident } = asks;
  const all = guardianStore(db, clock, sealer, settings.phone_verification);
  const store = enabled ? all : withoutGuardians(all);
  const acknowledgements = acknowledgementStore(db, clock);
  const recipients = guardianRecipients({ ...settings, isInIncident, store });
  const decline = guardianDecliner({ ...kernel, ...settings, ...asks, store });
  return {
    ports: {
      guardians: store,
      activeGuardians: store.active,
      inPolicy: enabled ? guardiansInPolicy : nobodyInPolicy,
      guardiansWith: store.withPhone,
      acceptedOf: async (uuid: string, connection: Db | Trx) => (await store.byUuid(uuid, connection))?.accepted ?? null,
      activeGuardian: (uuid: string) => activeNow(store, uuid),
      lockActiveGuardian: (trx: Trx, uuid: string) => activeLocked(store, trx, uuid),
      guardiansOf: enabled ? store.list : async () => null,
      acknowledgedBy: acknowledgements.of,
      endMails: (unreached: MailEndDeps['unreached']) => mailEnds({ isInIncident, store, unreached }),
      /** How notifications reach guardians. */
      recipients: {
        active: recipients.active,
        async reachable(uuid: string, trx: Trx) {
          const guardian = await store.byUuid(uuid, trx);
          return guardian?.accepted ? recipients.reachOf(guardian) : null;
        },
        withPhone: async (number: string, trx: Trx) => (await store.withPhone(number, trx)).map(recipients.reachOf),
        endMail: (trx: Trx, uuid: string) => store.setReach(trx, uuid, { mail: false }),
        endMailLater: store.endMailLater,
        endWeekly: (trx: Trx, uuid: string) => store.setReach(trx, uuid, { weekly: false }),
        isInIncident,
        async refuse(trx: Trx, uuid: string) {
          const guardian = await store.locked(trx, uuid);
          if (guardian) await decline(trx, guardian);
          return guardian !== undefined;
        },
        async ofAccount(trx: Trx, uuid: string) {
          const guardian = await store.byUuid(uuid, trx);
          return guardian ? { ...guardian, accepted: guardian.accepted !== null } : null;
        },
      },
    },
    routes: (http: FastifyInstance, { setKnown, weaken, ...late }: LateGuardianAsks) =>
      guardianRoutes(http, {
        ...{ ...kernel, ...settings, ...asks, ...late, store, acknowledgements, hasGuardians: enabled, visits: visitStore(db, clock) },
        async setKnown(trx: Trx, { uuid: guardian, account, name }: GuardianRow, device: string, known: boolean) {
          const changed = await setKnown(trx, { account, guardian }, device, known);
          const about = { uuid: device, name: changed ?? '' };
          if (changed && !known) await weaken(trx, account, { kind: 'device_unknown', device: about }, { by: firstName(name) });
          return changed !== undefined;
        },
      }),
    jobs({ unsubscribe, answerFirst }: LinkJobAsks) {
      const lostLink = lostLinkMails({ ...kernel, ...settings, store, unsubscribe });
      return {
        async guardian_link({ email }: { email: string }, id: string) {
          await answerFirst();
          await lostLink(email, id);
        },
      };
    },
  };
}
