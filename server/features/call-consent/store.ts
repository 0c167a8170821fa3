import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CallRow } from '../../notifications/calls/call-script.ts';
import type { AgreedNumberLookup, OptOutLookup } from '../../ports.ts';
import { usablePhone } from '../../texts/usable-phone.ts';
import { type ConsentFacts, consentState, userOf } from './rules.ts';

export type CallConsentStore = ReturnType<typeof callConsentStore>;

/** Who agreed to be called after a stop. `prove_phones`: whether the holder's number must be verified. */
export function callConsentStore(db: Db, clock: Clock, prove_phones = true) {
  const withUsablePhone = usablePhone(prove_phones);
  const ofCall = ({ device, phone_number }: CallRow) => ({ device: device ?? '', phone_number });

  return {
    async facts(account: string, device: string, connection: Db | Trx = db): Promise<ConsentFacts | null> {
      const row = await connection
        .selectFrom('devices')
        .innerJoin('accounts', 'accounts.uuid', 'devices.account')
        .leftJoin('call_consents', 'call_consents.device', 'devices.uuid')
        .select(['devices.name', 'devices.info', 'devices.person', 'devices.person_set'])
        .select(['accounts.name as holder_name', 'accounts.phone_number', 'accounts.phone_number_verified'])
        .select(['accounts.phone_verified_time', 'accounts.email_verified'])
        .select(['call_consents.phone_number as asked_number', 'call_consents.asked', 'call_consents.agreed', 'call_consents.refused'])
        .where('devices.account', '=', account)
        .where('devices.uuid', '=', device)
        .executeTakeFirst();
      if (!row) return null;
      const call = await connection
        .selectFrom('calls')
        .select(['state', 'created', 'phone_number'])
        .where('device', '=', device)
        .where('purpose', '=', 'consent')
        .orderBy('created', 'desc')
        .limit(1)
        .executeTakeFirst();
      const { person, person_set, holder_name, phone_verified_time, asked_number, asked, agreed, refused } = row;
      const { phone_number, phone_number_verified } = withUsablePhone(row);
      return {
        device: { uuid: device, name: row.name || row.info?.name || '' },
        ...{ person, person_set },
        holder: { name: holder_name, phone_number, phone_number_verified, phone_verified_time },
        consent: asked_number !== null && asked ? { phone_number: asked_number, asked, agreed, refused } : null,
        call: call ?? null,
      };
    },

    /** Stores that this number is being asked; earlier answers on this device end. */
    ask: (trx: Trx, device: string, phone_number: string) => {
      const question = { phone_number, asked: clock.now(), agreed: null, refused: null };
      return trx
        .insertInto('call_consents')
        .values({ device, ...question })
        .onConflict((oc) => oc.column('device').doUpdateSet(question))
        .execute();
    },

    /** False: the question was withdrawn, another number was asked since, or it was refused. The first time counts. */
    agree: async (trx: Trx, call: CallRow): Promise<boolean> => {
      const { device, phone_number } = ofCall(call);
      const row = await trx
        .updateTable('call_consents')
        .set((eb) => ({ agreed: eb.fn.coalesce('agreed', eb.val(clock.now())) }))
        .where('device', '=', device)
        .where('phone_number', '=', phone_number)
        .where('refused', 'is', null)
        .returning('device')
        .executeTakeFirst();
      return row !== undefined;
    },

    refuse: (trx: Trx, call: CallRow) => {
      const { device, phone_number } = ofCall(call);
      return trx
        .updateTable('call_consents')
        .set({ agreed: null, refused: clock.now() })
        .where('device', '=', device)
        .where('phone_number', '=', phone_number)
        .execute();
    },

    withdraw: (trx: Trx, device: string) => trx.deleteFrom('call_consents').where('device', '=', device).execute(),
  };
}

/** The number of a computer's user who agreed to be called; null if they did not, or do not use it any more (P11.1). */
export function agreedNumbers(store: Pick<CallConsentStore, 'facts'>, optedOutOf: OptOutLookup): AgreedNumberLookup {
  const stateOf = stateReader(optedOutOf);
  return async (account, device, connection) => {
    const facts = await store.facts(account, device, connection);
    if (!facts || (await stateOf(facts, connection)) !== 'agreed') return null;
    const { name, phone_number } = userOf(facts);
    return phone_number === null ? null : { name, phone_number };
  };
}

/** Whether the user of a computer agreed to be called. */
export function stateReader(optedOutOf: OptOutLookup) {
  return async (facts: ConsentFacts, connection?: Db | Trx) => {
    const { phone_number } = userOf(facts);
    const optedOut = await optedOutOf(phone_number === null ? [] : [phone_number], connection);
    return consentState(facts, optedOut.size > 0);
  };
}
