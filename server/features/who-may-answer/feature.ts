import { answerCodeEndpoints } from '@porchlight/contract/may-answer.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import { bind } from '../../http/bind.ts';
import { isUnreadable } from '../../http/caller-of.ts';
import { isNearAgent } from '../../http/weakening-call.ts';
import type { CheckCode, DevicesNear, GuardianProof, Reader, Readers, UseCode } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { firstName } from '../../texts/formatting.ts';
import { answerCodes } from './answer-codes.ts';
import { type AuthorityDeps, answerAuthority } from './authority.ts';
import { deviceNetworkStore } from './device-networks.ts';
import { type GuardianProofDeps, guardianProof, readerOf, requireProof } from './guardian-proof.ts';
import { guardiansFact } from './guardians-fact.ts';
import { holdSettingsStore } from './hold-settings.ts';
import { holderProofs, type ProofAgeDeps } from './holder-proofs.ts';
import { someoneElsesDevices } from './someone-elses.ts';

/** Answers per person and hour: enough for people, too few to guess. */
const answerLimit = { max: 60, per: 3_600_000 };

type AnswerRecords = ReturnType<typeof answerRecords>;

/** What is stored of who may answer. Parts that are made before incidents can open read it. */
export function answerRecords({ db, clock, sealer, events }: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'events'>) {
  const settings = holdSettingsStore(db, clock);
  events.on('guardian_gone', (trx, { account }) => settings.noteGuardianGone(trx, account));
  return { settings, networks: deviceNetworkStore(db, clock, sealer), ...someoneElsesDevices(clock) };
}

interface ReaderDeps {
  /** Throws `guardian_inactive` and `guardian_link_dead`. */
  activeGuardian(uuid: string): Promise<{ account: string; name: string; accepted: Date }>;
}

interface RightAsks
  extends Pick<ProofAgeDeps, 'proofOf' | 'passwordChanged'>,
    Pick<AuthorityDeps, 'activeGuardians' | 'acceptedOf' | 'deviceWords'>,
    ReaderDeps {
  incidents: AuthorityDeps['incidents'] & Pick<ProofAgeDeps, 'openSince'> & Pick<GuardianProofDeps, 'openOf'>;
}

/** Who may answer for a computer, and how they prove it (P10.2). */
export function whoMayAnswerFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'enqueue' | 'limit' | 'budgets' | 'settings' | 'nameOf'>,
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
    ...{
      ...asks,
      db,
      clock,
      incidents,
      someoneElses: whose.someoneElses,
      settings,
      devicesNear,
      proofState,
      sends_texts: kernel.settings.sms,
    },
    hasProvenPhone: (reader, connection) => answerCode.hasProvenPhone({ ...reader, uuid: reader.person }, connection),
    canProvePhone: answerCode.canProvePhone,
  });
  const checkCode: CheckCode = async (reader, code) =>
    code === undefined ? null : answerCode.check({ ...reader, uuid: reader.person }, code);
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
      readers: readersOfCalls({ ...kernel, ...asks }),
      hasProvenPhone: ({ account, person }: { account: string; person: string }) =>
        answerCode.hasProvenPhone({ kind: person === account ? 'holder' : 'guardian', uuid: person, account }),
      requireProofAt: async (trx: Trx, reader: Reader, device: string, useCode: UseCode) =>
        requireProof(trx, await authority.ofDevice(reader, device, trx), useCode),
    },
    routes: (http: FastifyInstance, { gates }: Pick<Kernel, 'gates'>) =>
      bind(http, gates, answerCodeEndpoints, {
        'POST /web/answer-code': async ({ account, ip }) => {
          await answerCode.send({ kind: 'holder', uuid: account, account }, ip);
          return {};
        },
        'POST /guardian/:id/answer-code': async ({ guardian: uuid, ip }) => {
          const { account } = await asks.activeGuardian(uuid);
          await answerCode.send({ kind: 'guardian', uuid, account }, ip);
          return {};
        },
      }),
  };
}

const readersOfCalls = ({ limit, nameOf, activeGuardian }: Pick<Kernel, 'limit' | 'nameOf'> & ReaderDeps): Readers => ({
  async holder({ account, session, ip, request }) {
    const name = firstName(await nameOf(account));
    return { kind: 'holder', account, person: account, name, session, ip, browser_near: isNearAgent(request) };
  },
  async guardian({ guardian: uuid, ip, request }) {
    const { account, name, accepted } = await activeGuardian(uuid);
    return readerOf({ uuid, account, name }, accepted, { ip, browser_near: isNearAgent(request) });
  },
  ofGuardian: (guardian, caller) => guardian.accepted && readerOf(guardian, guardian.accepted, caller),
  limitAnswers: ({ person }) => limit('incident-answer', person, answerLimit),
});
