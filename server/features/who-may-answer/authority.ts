import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
import { hour } from '@porchlight/contract/time.ts';
import { notYetWords } from '@porchlight/contract/words/may-answer.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { AnsweredIncident, Authority, DevicesNear, ProofLookup, Reader, SomeoneElsesDevices } from '../../incident-ports.ts';
import { after } from '../../lib/clock.ts';
import type { DeviceWords } from '../../ports.ts';
import { timeWithDay } from '../../texts/formatting.ts';
import { type GuardiansFactDeps, guardiansFact } from './guardians-fact.ts';
import { atPlace, guardianMayAnswer, holderMayAnswer, isProvenGuardian, mayNot, type PlaceFacts, whileProvenBy } from './may-answer.ts';

export interface AuthorityDeps extends GuardiansFactDeps {
  db: Db;
  incidents: {
    get(account: string, uuid: string, connection?: Db | Trx): Promise<AnsweredIncident | undefined>;
    /** The account's open ones. */
    openOf(account: string, connection?: Db | Trx): Promise<AnsweredIncident[]>;
    openAt(account: string, device: string, connection?: Db | Trx): Promise<AnsweredIncident | undefined>;
    /** In the order of time. */
    events(incident: string, connection?: Db | Trx): Promise<{ kind: string; time: Date }[]>;
  };
  someoneElses: SomeoneElsesDevices;
  /** The device's time zone, and who uses it. */
  deviceWords: DeviceWords;
  proofState: ProofLookup;
  devicesNear: DevicesNear;
  hasProvenPhone(reader: Reader, connection?: Db | Trx): Promise<boolean>;
  /** Whether a number that somebody verifies now proves them (P10.2). */
  canProvePhone(account: string, connection?: Db | Trx): Promise<boolean>;
  /** Whether codes can be texted. */
  sends_texts: boolean;
  /** When an active guardian accepted; null for anybody else. */
  acceptedOf(guardian: string, connection: Db | Trx): Promise<Date | null>;
}

/** Who may answer what, from the stores (P10.2). The rules are in `may-answer.ts`. */
export function answerAuthority(deps: AuthorityDeps): Authority {
  const { db, clock, incidents, settings } = deps;

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
    const others = await deps.someoneElses(connection, reader.account);
    const someone_elses = devices.every((device) => device !== null && others.has(device));
    if (!someone_elses) return holderMayAnswer({ someone_elses, proof: 'none' }, { near: false, proven_phone: false });
    return holderMayAnswer({ someone_elses, proof: await proofOf(reader, connection) }, await placeOf(reader, devices, connection));
  };

  const provenOf: Authority['provenOf'] = async (account, guardians, about, connection) => {
    const { first_connected } = await settings.of(account, connection);
    return guardians.filter(({ accepted }) => accepted && isProvenGuardian({ accepted, first_connected, about, now: clock.now() }));
  };

  const guardiansOf = guardiansFact(deps);
  const isAlone = async (account: string, connection: Db | Trx) => (await guardiansOf(account, connection)) === 'none';

  const askedAt = async (incident: string, connection: Db | Trx) => {
    const asked = (await incidents.events(incident, connection)).filter(({ kind }) => kind === 'over_asked');
    return asked.at(-1)?.time ?? null;
  };

  const ofDevice: Authority['ofDevice'] = async (reader, device, connection = db) => {
    const incident = await incidents.openAt(reader.account, device, connection);
    return authorityOf(reader, [device], incident?.opened ?? clock.now(), connection);
  };

  return {
    async ofRequest(reader, row, connection = db) {
      const incident = row.incident ? await incidents.get(reader.account, row.incident, connection) : undefined;
      // What is about the account belongs to all open incidents (P18.2).
      const open = row.activities.every(({ device }) => device === '') ? await incidents.openOf(reader.account, connection) : [];
      const cases = [...(incident ? [incident] : []), ...open];
      const opened = cases.map((one) => one.opened.getTime());
      // The question names an own device, where there is one: then the holder answers nothing about the account.
      const devices = new Set([row.device, ...cases.map(({ device }) => device)]);
      return authorityOf(reader, [...devices], opened.length ? new Date(Math.min(...opened)) : row.time, connection);
    },

    ofIncident: (reader, row, connection = db) => authorityOf(reader, [row.device], row.opened, connection),

    ofDevice,

    async ofHelping(reader, device, connection = db) {
      const may = await ofDevice(reader, device, connection);
      if (reader.kind === 'holder' || may.may !== 'yes') return may;
      if (await deps.hasProvenPhone(reader, connection)) return { may: 'code' };
      return mayNot(deps.sends_texts ? 'number' : 'no_texts');
    },

    async ofEnd(reader, row, connection = db) {
      const may = await authorityOf(reader, [row.device], row.opened, connection);
      if (may.may !== 'no' || reader.kind !== 'holder' || !(await isAlone(reader.account, connection))) return may;
      const asked = await askedAt(row.uuid, connection);
      if (asked === null) return { may: 'yes' };
      const [from, now] = [after(asked, hour), clock.now()];
      if (from <= now) return whileProvenBy(await proofOf(reader, connection), { may: 'yes' });
      const { time_zone } = await deps.deviceWords(connection, reader.account, row.device);
      const why = notYetWords('too_early', `at ${timeWithDay(from, now, time_zone)}`);
      return { may: 'no', reason: 'too_early', from: from.toISOString(), why };
    },

    async mustWait(reader, row, connection = db) {
      if (reader.kind !== 'holder') return false;
      if ((await authorityOf(reader, [row.device], row.opened, connection)).may !== 'no') return false;
      const asked = await askedAt(row.uuid, connection);
      return asked === null || after(asked, hour) > clock.now();
    },

    counts: async ({ account, person }, { device }, connection = db) =>
      person !== account || (await deps.someoneElses(connection, account)).has(device),

    async mayEndEscalation(row, person, connection) {
      if (person === row.account) return (await deps.someoneElses(connection, row.account)).has(row.device);
      const accepted = await deps.acceptedOf(person, connection);
      return accepted !== null && (await provenOf(row.account, [{ accepted }], row.opened, connection)).length > 0;
    },

    provenOf,

    ofPlace: async (reader, device, connection = db) =>
      reader.kind === 'guardian' && reader.preview ? mayNot('preview') : atPlace(await placeOf(reader, [device], connection)),
  };
}
