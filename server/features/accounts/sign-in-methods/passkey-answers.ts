import { generateKeyPairSync } from 'node:crypto';
import type { PasskeyAnswer } from '@porchlight/contract/sign-in-methods.ts';
import type { Db, Trx } from '../../../db/open.ts';
import type { PasskeyQuestions, Question, QuestionPurpose } from './passkey-questions.ts';
import { type PasskeySite, userHandleOf } from './passkey-site.ts';
import type { PasskeyStore } from './passkey-store.ts';
import { type WebAuthn, webauthn } from './webauthn.ts';

export interface PasskeyAnswerDeps {
  db: Db;
  store: PasskeyStore;
  questions: PasskeyQuestions;
  site: PasskeySite;
}

/** An answer that is right, before it is used up. */
export interface RightAnswer {
  account: string;
  passkey: string;
  counter: number;
  question: Question;
}

export type PasskeyAnswers = ReturnType<typeof passkeyAnswers>;

/** Questions to a passkey that exists, and their answers (P13.1). */
export function passkeyAnswers({ db, store, questions, site }: PasskeyAnswerDeps) {
  let nobodysKey: Uint8Array<ArrayBuffer> | null = null;

  /**
   * Null if the answer is wrong, whatever is wrong with it. A passkey that nobody has takes the same work as a wrong signature, so that the time
   * reveals nothing.
   */
  const check = async (answer: PasskeyAnswer, purpose: QuestionPurpose): Promise<RightAnswer | null> => {
    const row = await store.byCredential(Buffer.from(answer.rawId, 'base64url'));
    const { userHandle, ...response } = answer.response;
    const { verifyAuthenticationResponse, isoCBOR } = await webauthn();
    nobodysKey ??= keyOfNobody(isoCBOR);
    let challenge = '';
    const verification = await verifyAuthenticationResponse({
      response: { ...answer, response },
      expectedChallenge: (given) => {
        // It is checked at the end, so that a stale question takes the same work too.
        challenge = String(given);
        return true;
      },
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      credential: { id: answer.id, publicKey: new Uint8Array(row?.public_key ?? nobodysKey), counter: Number(row?.counter ?? 0) },
      // It throws for whatever does not fit: the origin, the counter, bytes that are no CBOR.
    }).catch(() => null);
    const question = questions.find(challenge, purpose);
    if (!verification?.verified || !question || !row) return null;
    if (purpose.what !== 'log_in' && row.account !== purpose.account) return null;
    // Only a discoverable passkey names its user, and no other can log in.
    const named = userHandle ?? (purpose.what === 'log_in' ? '' : null);
    if (named !== null && named !== userHandleOf(row.account).toString('base64url')) return null;
    return { account: row.account, passkey: row.uuid, counter: verification.authenticationInfo.newCounter, question };
  };

  /** False if the answer was used before, or its passkey was removed: then nothing may follow from it. */
  const useUp = async (trx: Trx, { passkey, counter, question }: RightAnswer): Promise<boolean> =>
    (await questions.useUp(trx, question)) && (await store.noteUse(trx, passkey, counter));

  return {
    check,
    useUp,

    /** What a browser needs to ask. `passkeys`: those that may answer; without, any discoverable one. */
    optionsFor: async (purpose: QuestionPurpose, passkeys: { credential_id: Buffer; transports: string }[] = []) =>
      (await webauthn()).generateAuthenticationOptions({
        rpID: site.id,
        challenge: questions.ask(purpose),
        timeout: site.timeout_ms,
        userVerification: 'required',
        allowCredentials: passkeys.map(describedPasskey),
      }),

    /** The passkey that proves the holder of the account; null if the answer is wrong. */
    async prove(account: string, answer: PasskeyAnswer): Promise<string | null> {
      const right = await check(answer, { what: 'prove', account });
      if (!right) return null;
      return db.transaction().execute(async (trx) => ((await useUp(trx, right)) ? right.passkey : null));
    },
  };
}

/** For a browser, which then knows whether it has this passkey. */
export function describedPasskey({ credential_id, transports }: { credential_id: Buffer; transports: string }) {
  return { id: credential_id.toString('base64url'), transports: transports.split(',').filter(Boolean) };
}

/** A public key in COSE, of ECDSA on P-256, whose private key is forgotten at once. */
function keyOfNobody(isoCBOR: WebAuthn['isoCBOR']): Uint8Array<ArrayBuffer> {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
}
