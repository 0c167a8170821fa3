import { appointmentLimits } from '@porchlight/contract/appointment-limits.ts';
import { type AppointmentChoice, type AppointmentEnd, appointmentEndpoints } from '@porchlight/contract/appointments.ts';
import { minute } from '@porchlight/contract/time.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import type { FastifyInstance } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import { bind } from '../../http/bind.ts';
import { weakeningCall } from '../../http/weakening-call.ts';
import type { Authority, CheckCode, Reader, Readers, RequireProof, SuspensionLookup } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { DeviceRows } from '../../ports.ts';
import { appointmentInPolicy, appointmentStore, isRunning } from './store.ts';

/** An appointment of the last 24 hours. `ended`: before `until`. */
interface Earlier {
  time: Date;
  until: Date;
  ended: Date | null;
}

/** A longer appointment waits for a yes: the third, or beyond two hours together (P15.1). What ended early counts as it was opened. */
function freeMinutes(earlier: Earlier[]): number {
  const opened = earlier.reduce((sum, { time, until }) => sum + (until.getTime() - time.getTime()) / minute, 0);
  return earlier.length >= appointmentLimits.per_day ? 0 : Math.max(0, appointmentLimits.minutes_per_day - Math.round(opened));
}

/** The longest appointment that can be opened, in minutes. */
const longestOf = (inIncident: boolean): number =>
  inIncident ? appointmentLimits.minutes_in_incident : Math.max(...appointmentLimits.minutes);

/** Appointments as they are stored. Parts that are made before the gate read them. */
export function appointmentRecords({ db, clock, events }: Pick<Kernel, 'db' | 'clock' | 'events'>) {
  const store = appointmentStore(db, clock);
  const end = async (trx: Trx, which: Parameters<typeof store.end>[1], by: string) => {
    for (const device of await store.end(trx, which, by)) await events.emit(trx, 'policy_changed', { account: which.account, device });
  };
  // Whatever opens an incident, or opens it again, ends it; *Stop this* on every computer (P15.1).
  events.on('incident_opened', (trx, { account, device, opener }) =>
    end(trx, opener === 'guardian_stop' ? { account } : { account, device: device.uuid }, ''),
  );
  return {
    store,
    ports: {
      inPolicy: appointmentInPolicy,
      isHelping: async (account: string, connection: Db | Trx) => (await store.runningOf(account, connection)).length > 0,
      helpingIn: async (account: string) => new Set((await store.runningOf(account)).map(({ uuid }) => uuid)),
      endAppointment: (trx: Trx, account: string, uuid: string, by: string) => end(trx, { account, uuid }, by),
      /** An agent's report: what it says is over has ended. */
      helpEnded: (trx: Trx, device: { uuid: string; account: string; name: string }, uuid: string, why: AppointmentEnd) =>
        end(trx, { account: device.account, device: device.uuid, uuid }, why === 'user' ? device.name : ''),
    },
  };
}

interface AppointmentAsks extends DeviceRows {
  store: ReturnType<typeof appointmentRecords>['store'];
  ports: Pick<ReturnType<typeof appointmentRecords>['ports'], 'endAppointment'>;
  authority: Pick<Authority, 'ofHelping'>;
  readers: Readers;
  checkCode: CheckCode;
  requireProof: RequireProof;
  definitions(): Promise<Definition[]>;
  /** The open incident at a device. */
  incidentAt(account: string, device: string, connection?: Db | Trx): Promise<unknown>;
  suspensionAt: SuspensionLookup;
}

interface Opening {
  device: string;
  identifier: string;
  minutes: number;
  money_pages: boolean;
}

/** *I'm helping now*: one remote-control program runs for a time, without an alarm (P15.1). */
export function appointmentFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'limit' | 'events' | 'weaken' | 'weakening'>,
  { store, ports, readers, ...asks }: AppointmentAsks,
) {
  const { db, clock } = kernel;

  const programOf = async (identifier: string): Promise<string> => {
    const found = (await asks.definitions()).find(
      (one) => one.identifier === identifier && one.category === 'RemoteControl' && one.allowlistable,
    );
    return found?.name ?? fail('not_found');
  };

  const deviceOf = async (account: string, uuid: string, connection?: Trx) =>
    (await store.devicesOf(account, connection)).find((one) => one.uuid === uuid) ?? fail('not_found');

  const listOf = async (account: string) => ({ items: await store.runningOf(account), devices: await store.devicesOf(account) });

  const isInIncident = async (account: string, device: string, connection: Db | Trx = db) =>
    (await asks.incidentAt(account, device, connection)) !== undefined;

  /** The caller has proven that they may. Returns the entry for the activity log. */
  const open = async (
    trx: Trx,
    reader: Pick<Reader, 'account' | 'person' | 'name'>,
    { device: uuid, identifier, minutes, money_pages }: Opening,
  ) => {
    const { account, person, name } = reader;
    const device = await deviceOf(account, uuid, trx);
    const suspended = await asks.suspensionAt(account, uuid, trx);
    if (suspended) fail('appointment_stopped', { words: suspended.why });
    const incident = await isInIncident(account, uuid, trx);
    const earlier = await store.ofDay(uuid, trx);
    const time = clock.now();
    if (earlier.some((one) => isRunning(one, time))) fail('appointment_running');
    const program = await programOf(identifier);
    const length = Math.min(minutes, longestOf(incident));
    const row = await store.add(trx, {
      ...{ account, device: uuid, identifier, program, person, name, time },
      ...{ until: after(time, length * minute), money_pages: money_pages && !incident },
    });
    await kernel.events.emit(trx, 'policy_changed', { account, device: uuid });
    return {
      ...({ kind: 'helping', device, what: program, before: { appointment: row.uuid } } as const),
      over_limit: length > freeMinutes(earlier),
    };
  };

  const choiceAt = async (reader: Reader, uuid: string): Promise<AppointmentChoice> => {
    const { account } = reader;
    await deviceOf(account, uuid);
    const incident = await isInIncident(account, uuid);
    return {
      may: (await asks.suspensionAt(account, uuid)) ?? (await asks.authority.ofHelping(reader, uuid)),
      minutes_max: longestOf(incident),
      minutes_free: freeMinutes(await store.ofDay(uuid)),
      offers_money: !incident,
    };
  };

  const endNow = (reader: Pick<Reader, 'account' | 'name'>, uuid: string) =>
    db.transaction().execute(async (trx) => {
      if (!(await store.isKnown(trx, reader.account, uuid))) fail('not_found');
      await ports.endAppointment(trx, reader.account, uuid, reader.name);
      return {};
    });

  const limited = (reader: Reader) => kernel.limit('appointment', reader.person, appointmentLimits.presses);

  return {
    routes: (http: FastifyInstance, { gates }: Pick<Kernel, 'gates'>) =>
      bind(http, gates, appointmentEndpoints, {
        'GET /web/appointments': ({ account }) => listOf(account),
        'GET /web/appointments/:device': async (call) => choiceAt(await readers.holder(call), call.params.device),

        'POST /web/appointments': async (call) => {
          const reader = await readers.holder(call);
          await limited(reader);
          const useCode = await asks.checkCode(reader, call.body.code);
          const weak = weakeningCall(call);
          await kernel.weakening(weak, async (trx, weaken) => {
            await asks.lockDevice(trx, call.body.device);
            // After a yes the server makes the call, which has no password.
            if (weak.redo === null) await asks.requireProof(trx, await asks.authority.ofHelping(reader, call.body.device, trx), useCode);
            await weaken(await open(trx, reader, call.body));
          });
          return {};
        },

        'POST /web/appointments/:uuid/end': async (call) => endNow(await readers.holder(call), call.params.uuid),

        'GET /guardian/:id/appointments': async (call) => listOf((await readers.guardian(call)).account),
        'GET /guardian/:id/appointments/:device': async (call) => choiceAt(await readers.guardian(call), call.params.device),

        'POST /guardian/:id/appointments': async (call) => {
          const reader = await readers.guardian(call);
          await limited(reader);
          const useCode = await asks.checkCode(reader, call.body.code);
          await db.transaction().execute(async (trx) => {
            await asks.lockDevice(trx, call.body.device);
            await asks.requireProof(trx, await asks.authority.ofHelping(reader, call.body.device, trx), useCode);
            const { over_limit, ...activity } = await open(trx, reader, call.body);
            // Whom the holder would ask is the guardian; someone else must answer.
            if (over_limit) fail('appointment_limit');
            await kernel.weaken(trx, reader.account, activity, { by: reader.name });
          });
          return {};
        },

        'POST /guardian/:id/appointments/:uuid/end': async (call) => endNow(await readers.guardian(call), call.params.uuid),
      }),
  };
}
