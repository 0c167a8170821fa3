import { emergencyLimits, type GuardianEmergency, type MayPress } from '@porchlight/contract/emergency-stops.ts';
import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
import { minute } from '@porchlight/contract/time.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { DeviceWords } from '../../ports.ts';
import { firstName } from '../../texts/formatting.ts';
import type { EmergencyIncidents, Place, Resume } from './dependencies.ts';
import { enqueueEmergencyEnd } from './ends.ts';
import { mayEndIsolation, mayIsolate, mayStop } from './rules.ts';
import { type EmergencyStore, guardianStopEnds, toShownIsolation, toStop } from './store.ts';

/** Presses of a guardian in an hour: enough for people in a hurry. */
const pressLimit = { max: 20, per: 60 * minute };

interface PressBody {
  minutes_offline?: number | undefined;
  device?: string | undefined;
}

/** An active guardian. `name`: the first name. */
export interface StopReader {
  account: string;
  person: string;
  name: string;
  may_isolate: boolean | null;
}

export interface StopDeps<R extends StopReader>
  extends Pick<Kernel, 'db' | 'clock' | 'limit' | 'enqueue' | 'notify' | 'nameOf' | 'events'> {
  store: EmergencyStore;
  /** Serializes the account's weakening calls, of which a press refuses those that wait. Taken before any other lock. */
  lockCalls(trx: Trx, account: string): Promise<unknown>;
  lockDevices(trx: Trx, account: string): Promise<{ uuid: string }[]>;
  lastSeen(connection: Db | Trx, account: string): Promise<Place | undefined>;
  someoneElses(connection: Db | Trx, account: string): Promise<Set<string>>;
  incidents: EmergencyIncidents & {
    /** When this guardian's press last opened an incident that nothing else prolonged; null after other trouble. */
    lastLonePress(account: string, guardian: string, since: Date, connection?: Db | Trx): Promise<Date | null>;
  };
  deviceWords: DeviceWords;
  resume: Resume;
  refuseAll(trx: Trx, reader: R): Promise<unknown>;
  mayCode(reader: R, device: string): Promise<MayAnswer>;
  /** What a one-time code can allow at a device. */
  stoppedPrograms(device: string): Promise<{ identifier: string; name: string }[]>;
}

/** The device that was asked for, or those of open incidents, or the place of the press. */
const targetsOf = (asked: DeviceRow | undefined, openAt: DeviceRow[], place: DeviceRow | undefined): DeviceRow[] =>
  asked ? [asked] : openAt.length ? [...new Set(openAt)] : place ? [place] : [];

type DeviceRow = Awaited<ReturnType<EmergencyStore['devicesOf']>>[number];

/** *Stop this* and *Cut the internet there* of a guardian (P10.6). It only strengthens, so it takes no PIN, no code and no wait. */
export function guardianStops<R extends StopReader>(deps: StopDeps<R>) {
  const { db, clock, store, incidents, enqueue, notify } = deps;

  /** What both buttons depend on. */
  const stateOf = async (reader: R, trx?: Trx) => {
    const connection = trx ?? db;
    const { account, person } = reader;
    const now = clock.now();
    const stop = await store.guardianStopOf(account, connection);
    const devices = await store.devicesOf(account, connection);
    const isolations = await store.isolationsOf(account, connection);
    const detections = devices.flatMap(({ last_detection }) => last_detection?.getTime() ?? []);
    const { time_zone } = await deps.deviceWords(connection, account, null);
    const may_stop = mayStop({
      ...{ now, time_zone },
      in_force: stop !== undefined,
      lone_press: await incidents.lastLonePress(account, person, after(now, -emergencyLimits.press_again_after), connection),
      last_detection: detections.length ? new Date(Math.max(...detections)) : null,
    });
    const others = await deps.someoneElses(connection, account);
    const holder = firstName(await deps.nameOf(account, trx));
    const isolationAt = (device: string) =>
      isolations.findLast((one) => one.device === device && one.ended === null && one.until > now) ?? null;
    const mayIsolateAt = ({ uuid, name }: Place): MayPress =>
      mayIsolate({
        ...{ now, time_zone, may_stop, holder },
        may_isolate: reader.may_isolate,
        someone_elses: others.has(uuid),
        device: name,
        in_force: isolationAt(uuid) !== null,
        isolations: isolations.filter(({ device }) => device === uuid).map(({ time }) => time),
      });
    return { now, stop, devices, time_zone, may_stop, isolationAt, mayIsolateAt };
  };

  /** In the time line of the device's open incident, or else of the newest. */
  const isolate = async (trx: Trx, { account, person, name }: R, device: DeviceRow, minutes: number, time: Date) => {
    const open = await incidents.openOf(account, trx);
    const incident = (open.find((one) => one.device === device.uuid) ?? open[0])?.uuid ?? null;
    const until = after(time, minutes * minute);
    const may_end = mayEndIsolation(device.last_detection, time);
    const row = await store.addIsolation(trx, { account, device: device.uuid, person, name, time, until, may_end });
    await enqueueEmergencyEnd(enqueue, trx, row);
    await deps.events.emit(trx, 'policy_changed', { account, device: device.uuid });
    if (incident) await incidents.addEvent(trx, incident, { kind: 'isolated', person, name, what: null, time });
    return { isolation: row.uuid, incident, at: device, until, may_end };
  };

  /** Returns the incident; null if the account has no connected device. */
  const stopAll = async (
    trx: Trx,
    reader: R,
    place: Place | undefined,
    { devices, time }: { devices: { uuid: string }[]; time: Date },
  ): Promise<string | null> => {
    const { account, person, name } = reader;
    const until = guardianStopEnds(time);
    const stop = await store.addStop(trx, { account, device: null, kind: 'guardian_stop', person, name, time, until });
    await enqueueEmergencyEnd(enqueue, trx, stop);
    for (const { uuid } of devices) await deps.resume(trx, account, uuid);
    const incident = place && (await incidents.open(trx, { account, device: place, opener: 'guardian_stop', what: name, time, person }));
    if (incident) await incidents.addEvent(trx, incident, { kind: 'stop', person, name, what: null, time });
    await deps.refuseAll(trx, reader);
    return incident ?? null;
  };

  const press = async (trx: Trx, reader: R, { minutes_offline, device }: PressBody) => {
    const { account, person, name } = reader;
    await deps.lockCalls(trx, account);
    const locked = await deps.lockDevices(trx, account);
    const state = await stateOf(reader, trx);
    const asked = device === undefined ? undefined : (state.devices.find(({ uuid }) => uuid === device) ?? fail('not_found'));
    if (state.may_stop.may === 'no') fail('may_not_answer', { words: state.may_stop.why });
    const known = new Map(state.devices.map((one) => [one.uuid, one]));
    const openAt = (await incidents.openOf(account, trx)).flatMap((one) => known.get(one.device) ?? []);
    const place = asked ?? openAt[0] ?? (await deps.lastSeen(trx, account));

    const targets = minutes_offline === undefined ? [] : targetsOf(asked, openAt, known.get(place?.uuid ?? ''));
    const allowed = targets.filter((one) => state.mayIsolateAt(one).may === 'yes');
    const refusal = targets[0] && !allowed.length ? state.mayIsolateAt(targets[0]) : null;
    if (refusal?.may === 'no') fail('may_not_answer', { words: refusal.why });

    const isNew = state.stop === undefined;
    const incident = isNew ? await stopAll(trx, reader, place, { devices: locked, time: state.now }) : null;
    const isolated: Awaited<ReturnType<typeof isolate>>[] = [];
    for (const target of allowed.filter(({ uuid }) => state.isolationAt(uuid) === null)) {
      isolated.push(await isolate(trx, reader, target, minutes_offline ?? 0, state.now));
    }
    const factsAt = async (at: Place | undefined) => ({
      ...(await deps.deviceWords(trx, account, at?.uuid ?? null)),
      device: at?.name ?? '',
      ...{ by: name, by_person: person, time: state.now },
    });
    if (isNew) {
      const facts = { ...(await factsAt(place)), incident, until: guardianStopEnds(state.now) };
      const offline = isolated.map(({ at, until }) => ({ device: at.name, until }));
      return notify(trx, account, { kind: 'guardian_stop', facts: { ...facts, account, isolated: offline } });
    }
    // A stop that is in force has been notified; a new isolation has not.
    for (const { at, ...isolation } of isolated) {
      await notify(trx, account, { kind: 'isolated', facts: { ...(await factsAt(at)), ...isolation } });
    }
  };

  const view = async (reader: R): Promise<GuardianEmergency> => {
    const { stop, devices, may_stop, isolationAt, mayIsolateAt } = await stateOf(reader);
    return {
      emergency_stop: stop ? toStop(stop) : null,
      may_stop,
      devices: await Promise.all(
        devices.map(async ({ uuid, name }) => {
          const isolation = isolationAt(uuid);
          return {
            ...{ uuid, name },
            isolation: isolation && toShownIsolation(isolation),
            may_isolate: mayIsolateAt({ uuid, name }),
            may_code: await deps.mayCode(reader, uuid),
            programs: await deps.stoppedPrograms(uuid),
          };
        }),
      ),
    };
  };

  return {
    view,

    async press(reader: R, body: PressBody): Promise<GuardianEmergency> {
      await deps.limit('guardian-stop', reader.person, pressLimit);
      await db.transaction().execute((trx) => press(trx, reader, body));
      return view(reader);
    },
  };
}
