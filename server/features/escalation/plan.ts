import { minute } from '@porchlight/contract/time.ts';
import type { CallState } from '../../db/reach-tables.ts';
import { after } from '../../lib/clock.ts';
import { call_given_up, isFinal } from '../../notifications/calls/call-state.ts';

/** In milliseconds since an escalation began (P11.1). */
export const escalationTimes = {
  second_messages: 3 * minute,
  first_calls: 6 * minute,
  /** Soon, because phones that are set to silent let the second call of a number within three minutes ring. */
  second_calls: 8 * minute,
  person_call: 10 * minute,
  /** What a server did not do by then is not done late: a call hours later frightens, and helps nobody. */
  gives_up: 60 * minute,
};

export type EscalationStep =
  | { kind: 'second_messages' }
  /** `person`: the uuid of a guardian or of the account. */
  | { kind: 'call'; round: 1 | 2; person: string }
  | { kind: 'person_call' };

/** Identifies a step: each is taken once. */
export const stepKey = (step: EscalationStep): string => (step.kind === 'call' ? `call:${step.round}:${step.person}` : step.kind);

export interface EscalationFacts {
  begun: Date;
  now: Date;
  /** Somebody who may answer has answered since it began. */
  answered: boolean;
  /** Whether the incident is over. */
  over: boolean;
  /** Whether there is anybody who may answer, so that writing again is of use. */
  answerable: boolean;
  /** Who is called, in this order: the uuids of those who have a number that takes calls. Empty with calls switched off. */
  callable: string[];
  /** Whether the user of the computer agreed to be called. */
  person_callable: boolean;
  /** The keys of the steps that were taken. */
  taken: ReadonlySet<string>;
  /** The calls to those who may answer. */
  calls: { state: CallState; created: Date }[];
}

export interface EscalationPlan {
  state: 'running' | 'answered' | 'ended';
  /** The steps to take now, in this order. */
  due: EscalationStep[];
  /** When to plan again, and what is done then unless somebody answers; null: nothing is left. `step`: null while the last call rings. */
  next: { at: Date; step: EscalationStep | null } | null;
}

const done = (state: 'answered' | 'ended'): EscalationPlan => ({ state, due: [], next: null });
const isRunning = ({ state, created }: EscalationFacts['calls'][number], now: Date) =>
  !isFinal(state) && after(created, call_given_up) > now;

/** All steps of an escalation with their earliest time: two rounds of messages, two rounds of calls, and the user's own call (P11.1). */
function allSteps({ begun, answerable, callable, person_callable }: EscalationFacts): { step: EscalationStep; at: Date }[] {
  const round = (number: 1 | 2, at: number) =>
    callable.map((person) => ({ step: { kind: 'call', round: number, person } as const, at: after(begun, at) }));
  return [
    ...(answerable ? [{ step: { kind: 'second_messages' } as const, at: after(begun, escalationTimes.second_messages) }] : []),
    ...round(1, escalationTimes.first_calls),
    ...round(2, escalationTimes.second_calls),
    ...(person_callable ? [{ step: { kind: 'person_call' } as const, at: after(begun, escalationTimes.person_call) }] : []),
  ];
}

/** Whether there is anything to do at all, when an escalation would begin. */
export const canEscalate = (facts: Pick<EscalationFacts, 'answerable' | 'person_callable'>): boolean =>
  facts.answerable || facts.person_callable;

/** What an escalation does now and next. Calls are made one after the other; the user's own call is made beside them. */
export function planEscalation(facts: EscalationFacts): EscalationPlan {
  const { begun, now, taken } = facts;
  if (facts.answered) return done('answered');
  if (facts.over || after(begun, escalationTimes.gives_up) <= now) return done('ended');
  const left = allSteps(facts).filter(({ step }) => !taken.has(stepKey(step)));
  const running = facts.calls.find((call) => isRunning(call, now));
  const [nextCall] = left.filter(({ step }) => step.kind === 'call');
  const possible = left
    .filter((one) => one.step.kind !== 'call' || one === nextCall)
    .map(({ step, at }) => {
      const waitsUntil = step.kind === 'call' && running ? after(running.created, call_given_up) : at;
      return { step, at: waitsUntil > at ? waitsUntil : at };
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  const due = possible.filter(({ at }) => at <= now).map(({ step }) => step);
  const [next] = possible.filter(({ at }) => at > now);
  if (next || due.length) return { state: 'running', due, next: next ?? null };
  return running ? { state: 'running', due, next: { at: after(running.created, call_given_up), step: null } } : done('ended');
}
