import { createHash, randomBytes } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Trx } from '../../../db/open.ts';
import { after, type Clock } from '../../../lib/clock.ts';
import { sameSecret } from '../../../secrets/same-secret.ts';
import type { Sealer } from '../../../secrets/seal.ts';

const randomLength = 16;
const timeLength = 6;
const macLength = 32;

/** `add`: a new passkey; `prove`: a passkey instead of the password (5.16); `log_in`: of any account, which is not known yet. */
export type QuestionPurpose = { what: 'add' | 'prove'; account: string } | { what: 'log_in' };

/** An answered question, before it is used up. */
export interface Question {
  hash: Buffer;
  ends: Date;
}

export type PasskeyQuestions = ReturnType<typeof passkeyQuestions>;

/**
 * WebAuthn's challenges, which only this server can have made: a random number and its end, with a keyed hash of these, of the purpose and of
 * the account. Asking writes nothing, however many ask; only an answered question is stored, until it ends, since each counts once.
 */
export function passkeyQuestions(clock: Clock, sealer: Pick<Sealer, 'mac'>) {
  const macOf = (body: Buffer, purpose: QuestionPurpose) => {
    const about = purpose.what === 'log_in' ? '' : purpose.account;
    return Buffer.from(sealer.mac('passkey-question', `${purpose.what}:${about}:${body.toString('base64url')}`), 'base64url');
  };

  return {
    ask(purpose: QuestionPurpose): Buffer<ArrayBuffer> {
      const time = Buffer.alloc(timeLength);
      time.writeUIntBE(after(clock.now(), serverLimits.passkey_question_life).getTime(), 0, timeLength);
      const body = Buffer.concat([randomBytes(randomLength), time]);
      return Buffer.concat([body, macOf(body, purpose)]);
    },

    /** The question of a challenge as base64url; null if it was not asked for this purpose, or has ended. */
    find(challenge: string, purpose: QuestionPurpose): Question | null {
      const bytes = Buffer.from(challenge, 'base64url');
      if (bytes.length !== randomLength + timeLength + macLength) return null;
      const body = bytes.subarray(0, randomLength + timeLength);
      const mac = bytes.subarray(randomLength + timeLength);
      if (!sameSecret(mac.toString('base64url'), macOf(body, purpose).toString('base64url'))) return null;
      const ends = new Date(body.readUIntBE(randomLength, timeLength));
      return ends > clock.now() ? { hash: createHash('sha256').update(bytes).digest(), ends } : null;
    },

    /** False if the question was answered before, also at the same time on another server. */
    async useUp(trx: Trx, { hash, ends }: Question): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('used_passkey_questions')
        .values({ question_hash: hash, ends })
        .onConflict((oc) => oc.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },
  };
}
