import type { Db, Trx } from '../../db/open.ts';
import type { Kernel, ServerEvents } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import type { CallRow, PlaceCall } from '../../notifications/calls/call-script.ts';
import { nobodyAnsweredAbout } from '../../notifications/render/nobody-answered.ts';
import type { DeviceWords } from '../../ports.ts';
import { firstName } from '../../texts/formatting.ts';
import { beginsEscalation } from './begins.ts';
import { canEscalate, type EscalationPlan, type EscalationStep, escalationTimes, planEscalation, stepKey } from './plan.ts';
import type { EscalationRow, EscalationStore } from './store.ts';

/** The part of an incident that an escalation depends on. */
export interface EscalatedIncident {
  uuid: string;
  account: string;
  device: string;
  device_name: string;
  opened: Date;
  /** False once it is over. */
  open: boolean;
}

/** Who is called, in this order. `person`: the uuid of the guardian, or of the account. */
export interface Callable {
  person: string;
  name: string;
  /** E.164. */
  phone_number: string;
}

export interface EscalatedIncidents {
  incidentOf(incident: string, connection: Db | Trx): Promise<EscalatedIncident | undefined>;
  /** Locks the incident. */
  lockedIncident(trx: Trx, incident: string): Promise<EscalatedIncident | undefined>;
}

export interface EscalationDeps extends EscalatedIncidents, Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'notify'> {
  store: EscalationStore;
  placeCall: PlaceCall;
  /** False: VOICE=off. */
  calls: boolean;
  /** Those with a number that takes calls. */
  callable(incident: EscalatedIncident, connection: Db | Trx): Promise<Callable[]>;
  /** Whether there are guardians, or a holder who may answer. */
  isAnswerable(incident: EscalatedIncident, connection: Db | Trx): Promise<boolean>;
  /** Whether an answer of this person ends the escalation (P10.2). */
  mayAnswer(incident: EscalatedIncident, person: string, connection: Db | Trx): Promise<boolean>;
  /** The user of the computer, if they agreed to be called on this number. */
  agreedNumber(account: string, device: string, connection: Db | Trx): Promise<{ name: string; phone_number: string } | null>;
  deviceWords: DeviceWords;
  /** Stores *I’m on it*, once since a time. */
  noteOnIt(trx: Trx, incident: EscalatedIncident, who: { person: string; name: string }, since: Date | null): Promise<unknown>;
  /** Somebody who may has answered: money pages no longer rest because of the incident (P12.6). */
  answered(trx: Trx, incident: EscalatedIncident): Promise<unknown>;
}

export interface EscalationState extends EscalationPlan {
  incident: EscalatedIncident;
  escalation: EscalationRow;
  callable: Callable[];
  /** The name of the user of the computer, if they agreed to be called. */
  agreed: string | null;
}

export type Escalations = ReturnType<typeof escalations>;

/** An incident with remote control escalates until somebody answers who may (P11.1). What is done and when is in `plan.ts`. */
export function escalations(deps: EscalationDeps) {
  const { db, clock, store, enqueue, notify } = deps;

  const peopleOf = async (incident: EscalatedIncident, connection: Db | Trx) => ({
    answerable: await deps.isAnswerable(incident, connection),
    callable: deps.calls ? await deps.callable(incident, connection) : [],
    agreed: deps.calls ? await deps.agreedNumber(incident.account, incident.device, connection) : null,
  });
  type People = Awaited<ReturnType<typeof peopleOf>>;

  const isAnswered = async (incident: EscalatedIncident, { begun }: EscalationRow, connection: Db | Trx): Promise<boolean> => {
    for (const person of await store.answeredBy(connection, incident.uuid, begun)) {
      if (await deps.mayAnswer(incident, person, connection)) return true;
    }
    return false;
  };

  const planOf = async (
    incident: EscalatedIncident,
    escalation: EscalationRow,
    people: People,
    connection: Db | Trx,
  ): Promise<EscalationPlan> =>
    planEscalation({
      begun: escalation.begun,
      now: clock.now(),
      answered: await isAnswered(incident, escalation, connection),
      over: !incident.open,
      answerable: people.answerable,
      callable: people.callable.map(({ person }) => person),
      person_callable: people.agreed !== null,
      taken: new Set((await store.steps(connection, escalation)).map(({ step }) => step)),
      calls: await store.calls(connection, escalation),
    });

  const take = async (trx: Trx, incident: EscalatedIncident, escalation: EscalationRow, step: EscalationStep, people: People) => {
    const key = stepKey(step);
    if (step.kind === 'second_messages') {
      const { device_name, account } = incident;
      const { opener, what } = escalation;
      const words = await deps.deviceWords(trx, account, incident.device);
      const calls_at = people.callable.length ? after(escalation.begun, escalationTimes.first_calls) : null;
      const about = nobodyAnsweredAbout(incident.uuid, escalation.number);
      const facts = { ...words, incident: incident.uuid, about, device: device_name, opener, what, time: escalation.begun, calls_at };
      await store.addStep(trx, escalation, { step: key, person: null, call: null, name: null });
      return notify(trx, account, { kind: 'nobody_answered', facts });
    }
    const callee = step.kind === 'call' ? people.callable.find(({ person }) => person === step.person) : people.agreed;
    if (!callee) return;
    const person = step.kind === 'call' ? step.person : null;
    const { name, phone_number } = callee;
    // Without the device: reports lock it before the incident, which this transaction has locked.
    const common = { account: incident.account, incident: incident.uuid, device: null, name: firstName(name), phone_number };
    const guardian = person === incident.account ? null : person;
    const call = await deps.placeCall(trx, { ...common, purpose: step.kind === 'call' ? 'guardian' : 'person', guardian });
    await store.addStep(trx, escalation, { step: key, person, call, name: firstName(name) });
  };

  const enqueueNext = (trx: Trx, { incident, number }: EscalationRow, at: Date) =>
    enqueue(trx, 'escalation', `escalation:${incident}:${number}:${at.toISOString()}`, { incident }, at);

  /** Takes what is due, and queues the next time to plan. The caller has locked the incident. */
  const advance = async (trx: Trx, incident: EscalatedIncident, knownPeople?: People): Promise<void> => {
    const escalation = await store.latest(incident.uuid, trx);
    if (!escalation || escalation.answered) return;
    // An answer after its last step still counts as the answer.
    if (escalation.stopped) {
      if (await isAnswered(incident, escalation, trx)) await store.stop(trx, escalation, true);
      return;
    }
    const people = knownPeople ?? (await peopleOf(incident, trx));
    for (;;) {
      const { state, due, next } = await planOf(incident, escalation, people, trx);
      if (state !== 'running') {
        await store.stop(trx, escalation, state === 'answered');
        return;
      }
      for (const step of due) await take(trx, incident, escalation, step, people);
      if (due.length) continue;
      if (next) await enqueueNext(trx, escalation, next.at);
      return;
    }
  };

  return {
    /** Called for each opener, in its transaction; the incident is locked. */
    async opened(trx: Trx, { incident: uuid, ...opening }: ServerEvents['incident_opened']): Promise<void> {
      const incident = await deps.incidentOf(uuid, trx);
      if (!incident) return;
      const last_begun = (await store.latest(uuid, trx))?.begun ?? null;
      const opened = (await store.openedAgain(trx, uuid)) ?? incident.opened;
      if (!beginsEscalation({ ...opening, now: clock.now(), opened, last_begun })) return;
      const people = await peopleOf(incident, trx);
      if (!canEscalate({ answerable: people.answerable, person_callable: people.agreed !== null })) return;
      await store.begin(trx, uuid, { opener: opening.opener, what: opening.what });
      await advance(trx, incident, people);
    },

    /** *I’m on it*, by a page, a text or a call. The caller has locked the incident. */
    async onIt(trx: Trx, uuid: string, who: { person: string; name: string }): Promise<void> {
      const incident = await deps.incidentOf(uuid, trx);
      if (!incident) return;
      const since = (await store.latest(uuid, trx))?.begun ?? (await store.openedAgain(trx, uuid));
      await deps.noteOnIt(trx, incident, who, since ?? null);
      await advance(trx, incident);
      if (await deps.mayAnswer(incident, who.person, trx)) await deps.answered(trx, incident);
    },

    /** A call of an escalation is over: the next one is made without waiting. */
    async callEnded(trx: Trx, { uuid, incident }: Pick<CallRow, 'uuid' | 'incident'>): Promise<void> {
      if (incident) await enqueue(trx, 'escalation', `escalation:${incident}:call:${uuid}`, { incident });
    },

    job: ({ incident: uuid }: { incident: string }) =>
      db.transaction().execute(async (trx) => {
        const incident = await deps.lockedIncident(trx, uuid);
        if (incident) await advance(trx, incident);
      }),

    /** Whether somebody could answer now with a text (P11.1): the device has an open incident that escalates. */
    isEscalating: async (trx: Trx, incident: string): Promise<boolean> => {
      const escalation = await store.latest(incident, trx);
      return escalation !== undefined && escalation.stopped === null;
    },

    /** The newest escalation of an incident, as it is now. Null without one. */
    async stateOf(uuid: string): Promise<EscalationState | null> {
      const escalation = await store.latest(uuid);
      const incident = escalation && (await deps.incidentOf(uuid, db));
      if (!incident) return null;
      const people = await peopleOf(incident, db);
      const plan = await planOf(incident, escalation, people, db);
      return { ...plan, incident, escalation, callable: people.callable, agreed: people.agreed?.name ?? null };
    },
  };
}
