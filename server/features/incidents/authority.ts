import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
import { hour } from '@porchlight/contract/time.ts';
import { mayNotAnswerWords } from '@porchlight/contract/words/may-answer.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after } from '../../lib/clock.ts';
import type { DevicesNear } from '../../ports.ts';
import { timeWithDay } from '../../texts/formatting.ts';
import type { HoldFactStore } from './fact-store.ts';
import { type GuardiansFactDeps, guardiansFact } from './guardians-fact.ts';
import type { HolderProofs } from './holder-proofs.ts';
import { atPlace, guardianMayAnswer, holderMayAnswer, isProvenGuardian, mayNot, type PlaceFacts, whileProvenBy } from './may-answer.ts';
import { isAboutAccount, type RequestRow } from './request-store.ts';
import type { IncidentRow, IncidentStore } from './store.ts';

interface Caller {
  account: string;
  /** From `callerOf`. */
  ip: string;
  browser_near: boolean;
  /** The account's or the guardian's id, and the first name. */
  person: string;
  name: string;
}

/** A holder or a guardian who reads, and may answer. `preview`: the holder sees a guardian's page. */
export type Reader = Caller & ({ kind: 'holder'; session: string } | { kind: 'guardian'; accepted: Date; preview?: boolean });

export interface AuthorityDeps extends GuardiansFactDeps {
  db: Db;
  incidents: IncidentStore;
  facts: HoldFactStore;
  proofState: HolderProofs;
  devicesNear: DevicesNear;
  hasProvenPhone(reader: Reader, connection?: Db | Trx): Promise<boolean>;
  /** Whether a number that somebody verifies now proves them (P10.2). */
  canProvePhone(account: string, connection?: Db | Trx): Promise<boolean>;
  /** When an active guardian accepted; null for anybody else. */
  acceptedOf(guardian: string, connection: Db | Trx): Promise<Date | null>;
}

export type Authority = ReturnType<typeof answerAuthority>;

/** Who may answer what, from the stores (P10.2). The rules are in `may-answer.ts`. */
export function answerAuthority(deps: AuthorityDeps) {
  const { db, clock, incidents, facts, settings } = deps;

  const placeOf = async (reader: Reader, devices: (string | null)[], connection: Db | Trx): Promise<PlaceFacts> => {
    const isNear = await deps.devicesNear(reader.account, reader, connection);
    const near = devices.some(isNear);
    if (!near) return { near, proven_phone: false };
    const proven_phone = await deps.hasProvenPhone(reader, connection);
    return { near, proven_phone, can_prove: !proven_phone && (await deps.canProvePhone(reader.account, connection)) };
  };

  const proofOf = (reader: Reader & { kind: 'holder' }, connection: Db | Trx) =>
    deps.proofState(reader.account, reader.session, connection);

  /** `devices`: what the answer is about. The strictest of them counts. `about`: the earliest time that it is about. */
  const authorityOf = async (reader: Reader, devices: (string | null)[], about: Date, connection: Db | Trx): Promise<MayAnswer> => {
    if (reader.kind === 'guardian') {
      if (reader.preview) return mayNot('preview');
      const { first_connected } = await settings.of(reader.account, connection);
      const place = await placeOf(reader, devices, connection);
      return guardianMayAnswer({ accepted: reader.accepted, first_connected, about, now: clock.now() }, place);
    }
    const others = await facts.someoneElses(connection, reader.account);
    const someone_elses = devices.every((device) => device !== null && others.has(device));
    if (!someone_elses) return holderMayAnswer({ someone_elses, proof: 'none' }, { near: false, proven_phone: false });
    return holderMayAnswer({ someone_elses, proof: await proofOf(reader, connection) }, await placeOf(reader, devices, connection));
  };

  const guardiansOf = guardiansFact(deps);
  const isAlone = async (account: string, connection: Db | Trx) => (await guardiansOf(account, connection)) === 'none';

  const askedAt = async (incident: string, connection: Db | Trx) => {
    const asked = (await incidents.events(incident, connection)).filter(({ kind }) => kind === 'over_asked');
    return asked.at(-1)?.time ?? null;
  };

  return {
    ofRequest: async (reader: Reader, row: RequestRow, connection: Db | Trx = db): Promise<MayAnswer> => {
      const incident = row.incident ? await incidents.get(reader.account, row.incident, connection) : undefined;
      // What is about the account belongs to all open incidents (P18.2).
      const open = isAboutAccount(row) ? await incidents.openOf(reader.account, connection) : [];
      const cases = [...(incident ? [incident] : []), ...open];
      const opened = cases.map((one) => one.opened.getTime());
      // The question names an own device, where there is one: then the holder answers nothing about the account.
      const devices = new Set([row.device, ...cases.map(({ device }) => device)]);
      return authorityOf(reader, [...devices], opened.length ? new Date(Math.min(...opened)) : row.time, connection);
    },

    ofIncident: (reader: Reader, row: IncidentRow, connection: Db | Trx = db) => authorityOf(reader, [row.device], row.opened, connection),

    /** For a one-time code at a device, about its open incident if there is one (P10.7). */
    async ofDevice(reader: Reader, device: string, connection: Db | Trx = db): Promise<MayAnswer> {
      const incident = await incidents.openAt(reader.account, device, connection);
      return authorityOf(reader, [device], incident?.opened ?? clock.now(), connection);
    },

    /** Whether the reader may end the incident. A holder without guardians may, an hour after asking for it, with the password. */
    async ofEnd(reader: Reader, row: IncidentRow, connection: Db | Trx = db): Promise<MayAnswer> {
      const may = await authorityOf(reader, [row.device], row.opened, connection);
      if (may.may !== 'no' || reader.kind !== 'holder' || !(await isAlone(reader.account, connection))) return may;
      const asked = await askedAt(row.uuid, connection);
      if (asked === null) return { may: 'yes' };
      const [from, now] = [after(asked, hour), clock.now()];
      if (from <= now) return whileProvenBy(await proofOf(reader, connection), { may: 'yes' });
      const { time_zone } = await facts.deviceWords(connection, reader.account, row.device);
      const why = mayNotAnswerWords('too_early', `at ${timeWithDay(from, now, time_zone)}`);
      return { may: 'no', reason: 'too_early', from: from.toISOString(), why };
    },

    /** Whether *It's over* only starts the hour of a holder without guardians. */
    async mustWait(reader: Reader, row: IncidentRow, connection: Db | Trx = db): Promise<boolean> {
      if (reader.kind !== 'holder') return false;
      if ((await authorityOf(reader, [row.device], row.opened, connection)).may !== 'no') return false;
      const asked = await askedAt(row.uuid, connection);
      return asked === null || after(asked, hour) > clock.now();
    },

    /** Whether this person's ticks and *I’m on it* are the family's: at an own computer the holder's may be anybody's (P18.2). */
    counts: async (
      { account, person }: Pick<Reader, 'account' | 'person'>,
      { device }: Pick<IncidentRow, 'device'>,
      connection: Db | Trx = db,
    ): Promise<boolean> => person !== account || (await facts.someoneElses(connection, account)).has(device),

    /** Whether an answer of this person ends an escalation (P11.1): a guardian of long enough, or the holder of somebody else's computer. */
    async mayEndEscalation(
      row: Pick<IncidentRow, 'account' | 'device' | 'opened'>,
      person: string,
      connection: Db | Trx,
    ): Promise<boolean> {
      if (person === row.account) return (await facts.someoneElses(connection, row.account)).has(row.device);
      const accepted = await deps.acceptedOf(person, connection);
      if (accepted === null) return false;
      const { first_connected } = await settings.of(row.account, connection);
      return isProvenGuardian({ accepted, first_connected, about: row.opened, now: clock.now() });
    },

    /** For *I’m on it*, which anyone may say who is not at that computer. */
    ofPlace: async (reader: Reader, device: string | null, connection: Db | Trx = db): Promise<MayAnswer> =>
      reader.kind === 'guardian' && reader.preview ? mayNot('preview') : atPlace(await placeOf(reader, [device], connection)),
  };
}
