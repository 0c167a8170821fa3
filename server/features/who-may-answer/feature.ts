import type { Trx } from '../../db/open.ts';
import { isUnreadable } from '../../http/caller-of.ts';
import type { Kernel } from '../../kernel.ts';
import type { DevicesNear, GuardianProof, Reader, UseCode } from '../../ports.ts';
import { answerCodes } from './answer-codes.ts';
import { type AuthorityDeps, answerAuthority } from './authority.ts';
import { deviceNetworkStore } from './device-networks.ts';
import { type GuardianProofDeps, guardianProof, requireProof } from './guardian-proof.ts';
import { guardiansFact } from './guardians-fact.ts';
import { holdSettingsStore } from './hold-settings.ts';
import { holderProofs, type ProofAgeDeps } from './holder-proofs.ts';
import { someoneElsesDevices } from './someone-elses.ts';

type AnswerRecords = ReturnType<typeof answerRecords>;

/** What is stored of who may answer. Parts that are made before incidents can open read it. */
export function answerRecords({ db, clock, sealer, events }: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'events'>) {
  const settings = holdSettingsStore(db, clock);
  events.on('guardian_gone', (trx, { account }) => settings.noteGuardianGone(trx, account));
  return { settings, networks: deviceNetworkStore(db, clock, sealer), ...someoneElsesDevices(clock) };
}

interface RightAsks
  extends Pick<ProofAgeDeps, 'proofOf' | 'passwordChanged'>,
    Pick<AuthorityDeps, 'activeGuardians' | 'acceptedOf' | 'deviceWords'> {
  incidents: AuthorityDeps['incidents'] & Pick<ProofAgeDeps, 'openSince'> & Pick<GuardianProofDeps, 'openOf'>;
}

/** Who may answer for a computer, and how they prove it (P10.2). */
export function whoMayAnswerFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'enqueue' | 'limit' | 'budgets' | 'settings'>,
  { settings, networks, ...whose }: AnswerRecords,
  { incidents, ...asks }: RightAsks,
) {
  const { db, clock } = kernel;
  const devicesNear: DevicesNear = async (account, { ip, browser_near }, connection) => {
    // Who may be anywhere may be at the computer.
    const isNear = browser_near || isUnreadable(ip);
    const near = new Set(isNear ? [] : await networks.isNear(account, ip, connection));
    return (device) => isNear || (device === null ? near.size > 0 : near.has(device));
  };
  const answerCode = answerCodes({ ...kernel, ...kernel.settings, holdSettings: settings });
  const proofState = holderProofs({ ...asks, clock, openSince: incidents.openSince });
  const authority = answerAuthority({
    ...{ ...asks, db, clock, incidents, someoneElses: whose.someoneElses, settings, devicesNear, proofState },
    hasProvenPhone: (reader, connection) => answerCode.hasProvenPhone({ ...reader, uuid: reader.person }, connection),
    canProvePhone: answerCode.canProvePhone,
  });
  const checkCode = (reader: Reader, code: string) => answerCode.check({ ...reader, uuid: reader.person }, code);
  const prove: GuardianProof = guardianProof({ openOf: incidents.openOf, authority, checkCode });
  return {
    ports: {
      ...{ ...whose, settings },
      authority,
      devicesNear,
      proofState,
      guardiansOf: guardiansFact({ ...asks, clock, settings }),
      checkCode,
      prove,
      requireProof,
      sendCode: answerCode.send,
      hasProvenPhone: ({ account, person }: { account: string; person: string }) =>
        answerCode.hasProvenPhone({ kind: person === account ? 'holder' : 'guardian', uuid: person, account }),
      requireProofAt: async (trx: Trx, reader: Reader, device: string, useCode: UseCode) =>
        requireProof(trx, await authority.ofDevice(reader, device, trx), useCode),
    },
  };
}
