import { brand } from '@porchlight/contract/brand.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { hour } from '@porchlight/contract/time.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { HoldSettingsPort } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { type PhoneCodeDeps, type PhoneCodeStore, phoneCodes, type UseCode } from '../../texts/phone-codes.ts';

/** In milliseconds: a number that was verified this long ago proves its user, since a scammer rarely prepares for days. */
const proven_after = 72 * hour;
/** In milliseconds: so does a number that was verified while the account was set up. */
const set_up_within = 24 * hour;

/** Who answers. `uuid`: of the account or of the guardian. */
export interface Answerer {
  kind: 'holder' | 'guardian';
  uuid: string;
  account: string;
}

interface ProvenPhoneFacts {
  verified: boolean;
  /** Null of a number that was verified before this time was stored, which is long ago. */
  verified_time: Date | null;
  /** When the account's first device connected; null before. */
  first_connected: Date | null;
  now: Date;
}

/** Whether a code sent to this number proves who answers: verified 72 hours ago or more, or within the account's first 24 hours (P10.2). */
export function isProvenPhone({ verified, verified_time, first_connected, now }: ProvenPhoneFacts): boolean {
  if (!verified) return false;
  if (verified_time === null) return true;
  if (now.getTime() - verified_time.getTime() >= proven_after) return true;
  return first_connected !== null && verified_time.getTime() - first_connected.getTime() <= set_up_within;
}

export interface AnswerCodeDeps
  extends Pick<PhoneCodeDeps, 'clock' | 'limit' | 'sealer' | 'countries' | 'budgets'>,
    Pick<Kernel, 'db' | 'enqueue'> {
  holdSettings: Pick<HoldSettingsPort, 'of'>;
  sms: boolean;
}

/** Codes by text message for answers from a computer of the account (P10.2). */
export function answerCodes({ holdSettings, enqueue, sms, ...deps }: AnswerCodeDeps) {
  const { db, clock } = deps;

  /** From the tables, because the stores count an unverified number as verified where the server verifies none. */
  const phoneRow = ({ kind, uuid, account }: Answerer, connection: Db | Trx) =>
    kind === 'holder'
      ? connection
          .selectFrom('accounts')
          .select(['phone_number', 'phone_number_verified', 'phone_verified_time'])
          .where('uuid', '=', account)
          .executeTakeFirst()
      : connection
          .selectFrom('guardians')
          .select(['phone_number', 'phone_number_verified', 'phone_verified_time'])
          .where('uuid', '=', uuid)
          .where('account', '=', account)
          .executeTakeFirst();

  /** E.164; null if no code may be sent. */
  const provenPhone = async (person: Answerer, connection: Db | Trx = db): Promise<string | null> => {
    const row = sms ? await phoneRow(person, connection) : undefined;
    if (!row?.phone_number) return null;
    const { first_connected } = await holdSettings.of(person.account, connection);
    const facts = { verified: row.phone_number_verified, verified_time: row.phone_verified_time, first_connected, now: clock.now() };
    return isProvenPhone(facts) ? row.phone_number : null;
  };

  const codesOf = (person: Answerer) =>
    phoneCodes({
      ...deps,
      store: answerCodeStore,
      purpose: 'answer-code',
      // Every answer needs a code, although the number is verified.
      numberOf: async (_, trx) => ({ phone_number: await provenPhone(person, trx), phone_number_verified: false }),
      // A proven number belongs to a user whose address was confirmed.
      isConfirmed: async () => true,
      dailyLimits: async () => [
        { what: 'phone-codes', who: person.uuid, max: serverLimits.phone_codes_per_day },
        ...(person.kind === 'guardian'
          ? [{ what: 'phone-codes-guardians', who: person.account, max: serverLimits.guardian_phone_codes_per_day }]
          : []),
      ],
      sendCode: (trx, key, { to, code, until }) => enqueue(trx, 'sms', key, { to, body: answerCodeText(code), until }),
    });

  return {
    /** Whether a code can be sent to this user's phone. */
    hasProvenPhone: async (person: Answerer, connection?: Db | Trx): Promise<boolean> => (await provenPhone(person, connection)) !== null,

    /** Whether a number that somebody of the account verifies now proves them. */
    async canProvePhone(account: string, connection: Db | Trx = db): Promise<boolean> {
      const { first_connected } = await holdSettings.of(account, connection);
      const now = clock.now();
      return sms && isProvenPhone({ verified: true, verified_time: now, first_connected, now });
    },

    /**
     * `caller`: from `callerOf`. Throws `phone_missing` without a proven number, `phone_country`, `phone_codes_spent`, `texts_spent` and
     * `too_many`.
     */
    send: (person: Answerer, caller: string): Promise<void> => codesOf(person).send(person.uuid, caller),

    /**
     * Call it before the transaction of the answer, since wrong attempts must stay counted, and the returned function within it: that uses
     * up the code. Throws `phone_code_wrong`, `phone_code_expired` and `too_many`.
     */
    check: (person: Answerer, code: string): Promise<UseCode> => codesOf(person).check(person.uuid, code),
  };
}

function answerCodeText(code: string): string {
  return `Your ${brand.name} code to answer: ${code}. It works for 10 minutes. Enter it yourself, and never give it to anybody who calls you.`;
}

const answerCodeStore: PhoneCodeStore = {
  put: (trx, person, code) =>
    trx
      .insertInto('answer_codes')
      .values({ person, ...code, tries: 0 })
      .onConflict((oc) => oc.column('person').doUpdateSet({ ...code, tries: 0 }))
      .execute(),
  locked: (trx, person) => trx.selectFrom('answer_codes').selectAll().where('person', '=', person).forUpdate().executeTakeFirst(),
  countTry: (trx, person) =>
    trx
      .updateTable('answer_codes')
      .set((eb) => ({ tries: eb('tries', '+', 1) }))
      .where('person', '=', person)
      .execute(),
  drop: (trx, person) => trx.deleteFrom('answer_codes').where('person', '=', person).execute(),
};
