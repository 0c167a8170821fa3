import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
import type { Trx } from '../../db/open.ts';
import type { Authority, CheckCode, GuardianProof, Reader, RequireProof } from '../../incident-ports.ts';
import { fail } from '../../lib/errors.ts';
import { firstName } from '../../texts/formatting.ts';

/** See `RequireProof`. */
export const requireProof: RequireProof = async (trx, mine, useCode) => {
  if (mine.may === 'no') fail('may_not_answer', { words: mine.why });
  if (mine.may === 'password') fail('password_needed');
  if (mine.may !== 'code') return;
  if (useCode === null) fail('code_needed');
  await useCode(trx);
};

export interface GuardianProofDeps {
  checkCode: CheckCode;
  /** The open incidents of an account. */
  openOf(account: string, connection?: Trx): Promise<{ device: string }[]>;
  authority: Pick<Authority, 'ofPlace'>;
}

export const readerOf = (
  { uuid, account, name }: { uuid: string; account: string; name: string },
  accepted: Date,
  caller: Pick<Reader, 'ip' | 'browser_near'>,
): Reader => ({ kind: 'guardian', account, person: uuid, name: firstName(name), accepted, ...caller });

/** A scammer at the computer must not talk a guardian's window there into leaving, while the incident is open (P10.2). */
export function guardianProof({ openOf, authority, checkCode }: GuardianProofDeps): GuardianProof {
  /** The strictest answer, if there are several incidents. */
  const mayOf = async (reader: Reader, trx?: Trx): Promise<MayAnswer> => {
    const answers: MayAnswer[] = [];
    for (const { device } of await openOf(reader.account, trx)) answers.push(await authority.ofPlace(reader, device, trx));
    return answers.find(({ may }) => may === 'no') ?? answers.find(({ may }) => may === 'code') ?? { may: 'yes' };
  };

  return async (guardian, caller, code) => {
    if (!guardian.accepted) return async () => {};
    const reader = readerOf(guardian, guardian.accepted, caller);
    // Where no code is needed, a given one is not an attempt.
    const isNeeded = code !== undefined && (await mayOf(reader)).may === 'code';
    const useCode = isNeeded ? await checkCode(reader, code) : null;
    return async (trx) => requireProof(trx, await mayOf(reader, trx), useCode);
  };
}
