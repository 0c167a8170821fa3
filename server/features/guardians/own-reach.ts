import type { guardianEndpoints } from '@porchlight/contract/guardians.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Trx } from '../../db/open.ts';
import type { Handlers } from '../../http/bind.ts';
import type { GuardianProof } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { Sealer } from '../../secrets/seal.ts';
import { changedPhone } from '../../texts/changed-phone.ts';
import { type PhoneCodeDeps, phoneCodes, phoneCodeText } from '../../texts/phone-codes.ts';
import { guardianCodeStore } from './code-store.ts';
import { activeLocked, activeNow, type OwnView, proofOf } from './own-page.ts';
import { phoneOf } from './rules.ts';
import type { GuardianStore } from './store.ts';

export interface OwnReachDeps extends Pick<PhoneCodeDeps, 'countries' | 'budgets'>, Pick<Kernel, 'db' | 'clock' | 'limit' | 'enqueue'> {
  store: GuardianStore;
  sealer: Pick<Sealer, 'mac'>;
  sms: boolean;
  prove: GuardianProof;
  /** Notifies the holder if no channel remains. */
  unreached(trx: Trx, guardian: { uuid: string; account: string; name: string; mail: boolean; phone: string | null }): Promise<void>;
}

type OwnReach = Pick<
  Handlers<typeof guardianEndpoints>,
  'PATCH /guardian/:id' | 'POST /guardian/:id/send-phone-code' | 'POST /guardian/:id/verify-phone'
>;

/** A guardian's channels: emails, text messages and phone number (6.6, P2.5, P5.2). */
export function ownReach(deps: OwnReachDeps & OwnView): OwnReach {
  const { db, store, enqueue } = deps;
  const codes = phoneCodes({
    ...deps,
    store: guardianCodeStore,
    numberOf: async (id, trx) => {
      const row = (await store.byUuid(id, trx)) ?? fail('guardian_link_dead');
      return deps.sms ? row : { ...row, phone_number: null };
    },
    isConfirmed: async () => true,
    dailyLimits: async (id) => {
      const { account } = (await store.byUuid(id)) ?? fail('guardian_link_dead');
      return [
        { what: 'phone-codes', who: id, max: serverLimits.phone_codes_per_day },
        { what: 'phone-codes-guardians', who: account, max: serverLimits.guardian_phone_codes_per_day },
      ];
    },
    purpose: 'phone-code',
    sendCode: (trx, key, { to, code, until }) => enqueue(trx, 'sms', key, { to, body: phoneCodeText(code), until }),
  });

  return {
    'PATCH /guardian/:id': async (call) => {
      const { guardian: id, body, request } = call;
      const { phone_number, sms, email: mail, weekly, every_week } = body;
      const reach = { mail, sms, weekly, every_week };
      const currentGuardian = await activeNow(store, id);
      const phone = deps.sms ? changedPhone(phone_number, currentGuardian.phone_number, deps.countries) : undefined;
      const proven = await proofOf(deps, call, body.code);
      const guardian = await db.transaction().execute(async (trx) => {
        // Locks the code before the guardian, as when a code is entered, to avoid deadlocks.
        if (phone !== undefined) await guardianCodeStore.drop(trx, id);
        const previousGuardian = await activeLocked(store, trx, id);
        // A changed number does not get texts until it is verified. Before the change, since the code goes to the number that is verified.
        const losesTexts = phoneOf(previousGuardian) !== null && (sms === false || phone !== undefined);
        if (losesTexts || (previousGuardian.mail && mail === false)) await proven(trx);
        if (phone !== undefined) await store.setPhone(trx, id, phone);
        if (Object.values(reach).some((choice) => choice !== undefined)) await store.setReach(trx, id, reach);
        const changedGuardian = (await store.byUuid(id, trx)) ?? fail('guardian_link_dead');
        const hasFewerChannels =
          (previousGuardian.mail && !changedGuardian.mail) || (phoneOf(previousGuardian) !== null && phoneOf(changedGuardian) === null);
        if (hasFewerChannels) await deps.unreached(trx, { ...changedGuardian, phone: phoneOf(changedGuardian) });
        return changedGuardian;
      });
      return deps.viewOf(guardian, request);
    },

    'POST /guardian/:id/send-phone-code': async ({ guardian: id, ip }) => {
      await activeNow(store, id);
      await codes.send(id, ip);
      return {};
    },

    'POST /guardian/:id/verify-phone': async ({ guardian: id, body, request }) => {
      await activeNow(store, id);
      const useCode = await codes.check(id, body.code);
      await db.transaction().execute(async (trx) => store.markPhoneVerified(trx, id, await useCode(trx)));
      return deps.viewOf(await activeNow(store, id), request);
    },
  };
}
