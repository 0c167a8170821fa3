import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
import type { Trx } from '../../db/open.ts';
import type { GuardianProof } from '../../ports.ts';
import { firstName } from '../../texts/formatting.ts';
import { type AnswerDeps, requireProof } from './answers.ts';
import type { Authority, Reader } from './authority.ts';
import type { IncidentStore } from './store.ts';

export interface GuardianProofDeps extends Pick<AnswerDeps, 'checkCode'> {
  incidents: Pick<IncidentStore, 'openOf'>;
  authority: Pick<Authority, 'ofPlace'>;
}

/** A scammer at the computer must not talk a guardian's window there into leaving, while the incident is open (P10.2). */
export function guardianProof({ incidents, authority, checkCode }: GuardianProofDeps): GuardianProof {
  /** The strictest answer, if there are several incidents. */
  const mayOf = async (reader: Reader, trx?: Trx): Promise<MayAnswer> => {
    const answers: MayAnswer[] = [];
    for (const { device } of await incidents.openOf(reader.account, trx)) answers.push(await authority.ofPlace(reader, device, trx));
    return answers.find(({ may }) => may === 'no') ?? answers.find(({ may }) => may === 'code') ?? { may: 'yes' };
  };

  return async ({ uuid, account, name, accepted }, caller, code) => {
    if (!accepted) return async () => {};
    const reader: Reader = { kind: 'guardian', account, person: uuid, name: firstName(name), accepted, ...caller };
    // Where no code is needed, a given one is not an attempt.
    const isNeeded = code !== undefined && (await mayOf(reader)).may === 'code';
    const useCode = isNeeded ? await checkCode(reader, code) : null;
    return async (trx) => requireProof(trx, await mayOf(reader, trx), useCode);
  };
}
