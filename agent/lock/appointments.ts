import { randomUUID } from 'node:crypto';
import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import { appointmentLimits } from '@porchlight/contract/appointment-limits.ts';
import type { AppointmentEnd } from '@porchlight/contract/appointments.ts';
import { oneTimeCodes } from '@porchlight/contract/one-time-codes.ts';
import { beginSpan, type ClockReading, leftOf, policySpan, seenSpan } from '../lib/span.ts';
import type { Appointments } from '../ports.ts';
import type { RunningAppointment } from '../state/in-force.ts';
import type { StoredAppointment } from '../state/lock-files.ts';
import type { Store } from '../state/store.ts';

const POLL_MS = 1000;
const PERSIST_MS = 5000;

export interface AppointmentDeps {
  store: Pick<Store, 'appointments' | 'setAppointments'>;
  readClock: () => ClockReading;
  device: () => string | null;
  policy: () => DevicePolicy | null;
  /** On the first day after a change of owner nothing is allowed (P10.8), so nobody helps. */
  suspended: () => boolean;
  /** What may run changed. */
  changed: () => void;
  /** One began, or ends soon: the user should read it. */
  shown: () => void;
  /** Reports the end of an appointment of the server. */
  ended: (uuid: string, end: AppointmentEnd) => Promise<unknown>;
  notWritten: (why: unknown) => void;
}

/**
 * Programs that run for a time without an alarm: what somebody opened on the server (P15.1), and what a one-time code allowed (P10.7). Neither the
 * clock nor a restart makes them longer.
 */
export async function appointments(deps: AppointmentDeps): Promise<Appointments> {
  const { store, readClock, device, policy, changed, notWritten } = deps;
  let all: StoredAppointment[] = await store.appointments();
  let persistedAt = readClock().up;
  /** Those of which the user has read that they end soon. */
  const announced = new Set<string>();
  const left = ({ span }: Pick<StoredAppointment, 'span'>) => leftOf(span, readClock(), 'soonest');
  const isRunning = (one: StoredAppointment) => one.device === device() && !one.ended && left(one) > 0;
  const ofPolicy = () => {
    const current = policy();
    return current?.device === device() ? (current?.appointment ?? null) : null;
  };

  const persist = () => {
    const reading = readClock();
    persistedAt = reading.up;
    // An ended appointment is remembered as long as the policy has it, so that it stays ended, and as long as its program ends calmly.
    all = all
      .filter((one) => !one.ended || leftOf(one.ended, reading, 'soonest') > 0 || ofPolicy()?.uuid === one.uuid)
      .map((one) => ({ ...one, span: seenSpan(one.span, reading, 'soonest') }));
    return store.setAppointments(all);
  };
  const endAll = (which: (one: StoredAppointment) => boolean): StoredAppointment[] => {
    const endedNow = all.filter((one) => !one.ended && which(one));
    const ended = beginSpan(readClock(), appointmentLimits.ends_calmly);
    all = all.map((one) => (endedNow.includes(one) ? { ...one, ended } : one));
    return endedNow;
  };
  const report = async (endedNow: StoredAppointment[], why: AppointmentEnd) => {
    for (const { uuid, by } of endedNow) if (by !== null) await deps.ended(uuid, why);
  };

  // What was stored of an appointment is lost: a policy from before cannot say how much of it is left.
  const lostWith = all.some(({ uuid }) => uuid === ofPolicy()?.uuid) ? null : (policy()?.issued ?? null);

  /** Begins what a new policy has, and ends what it has no longer. */
  const review = () => {
    const [found, current] = [ofPolicy(), policy()];
    // Without a policy nothing new is known.
    if (!current) return;
    const endedThere = endAll((one) => one.device === device() && one.by !== null && one.uuid !== found?.uuid);
    const known = all.find(({ uuid }) => uuid === found?.uuid);
    const begins = found !== null && !known && current.issued !== lostWith;
    if (begins) {
      const { uuid, identifier, program, by, money_pages } = found;
      all = [
        ...all,
        {
          ...{ device: current.device, uuid, identifier, program, by, money_pages },
          span: policySpan(current, found.until, undefined, readClock()),
          ended: null,
        },
      ];
    }
    if (found && known && !known.ended) {
      const span = policySpan(current, found.until, known.span, readClock());
      all = all.map((one) => (one === known ? { ...one, span } : one));
    }
    if (!begins && !endedThere.length) return;
    persist().catch(notWritten);
    watch();
    changed();
    if (begins) deps.shown();
  };
  let polling: NodeJS.Timeout | undefined;
  const poll = () => {
    const over = endAll((one) => left(one) === 0);
    if (over.length || Math.abs(readClock().up - persistedAt) >= PERSIST_MS) persist().catch(notWritten);
    if (over.length) {
      changed();
      report(over, 'time').catch(notWritten);
    }
    const soon = all.filter((one) => isRunning(one) && left(one) <= appointmentLimits.says_end && !announced.has(one.uuid));
    for (const { uuid } of soon) announced.add(uuid);
    if (soon.length) deps.shown();
    if (!all.some((one) => !one.ended)) clearInterval(polling);
  };
  const watch = () => {
    clearInterval(polling);
    if (all.some((one) => !one.ended)) polling = setInterval(poll, POLL_MS);
  };
  if (all.length) await persist().catch(notWritten);
  watch();

  const running = (): RunningAppointment[] =>
    (deps.suspended() ? [] : all.filter(isRunning)).map((one) => {
      const { identifier, program, by, money_pages } = one;
      const ms = left(one);
      return { identifier, program, by, money_pages, until: new Date(readClock().wall + ms), ends_soon: ms <= appointmentLimits.says_end };
    });

  return {
    running,
    review,

    endsCalmly: (identifier) =>
      all.some((one) => one.identifier === identifier && one.ended !== null && leftOf(one.ended, readClock(), 'soonest') > 0),

    async beginByCode({ identifier, name }) {
      const here = device();
      if (here === null) throw new Error('There is no account.');
      const reading = readClock();
      const others = all.filter((one) => one.identifier !== identifier || one.by !== null);
      const span = beginSpan(reading, oneTimeCodes.allows_for);
      const added = { device: here, uuid: randomUUID(), identifier, program: name, by: null, money_pages: false, span, ended: null };
      await store.setAppointments([...others, added]);
      all = [...others, added];
      watch();
      changed();
      return new Date(reading.wall + oneTimeCodes.allows_for);
    },

    async end(why) {
      const endedNow = endAll(isRunning);
      if (!endedNow.length) return;
      changed();
      await persist();
      await report(endedNow, why);
    },

    close: () => clearInterval(polling),
  };
}
