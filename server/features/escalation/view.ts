import type { EscalationView, IncidentEvent } from '@porchlight/contract/incidents.ts';
import type { EscalationState, Escalations } from './escalations.ts';
import type { EscalationStep } from './plan.ts';
import type { EscalationStore, StepWithCall } from './store.ts';
import { nextWords, stepWords } from './words.ts';

/** What an incident's page shows of its escalation (P11.1): each step that was taken, and the next one. */
export interface EscalationOnPage {
  view: EscalationView | null;
  events: IncidentEvent[];
  /** The numbers of the escalations whose second messages went out. */
  rounds: number[];
}

const lineOf = (time: Date, words: string): IncidentEvent => ({ time: time.toISOString(), kind: 'reached', words, alert: null });

function eventOf({ step, time, name, result }: StepWithCall): IncidentEvent[] {
  if (step === 'second_messages') return [lineOf(time, stepWords.second_messages)];
  if (name === null) return [];
  // Calls are deleted long before their incidents.
  if (result === null) return [lineOf(time, stepWords.old_call(name))];
  return [lineOf(time, step === 'person_call' ? stepWords.person_call(name, result) : stepWords.call(name, result))];
}

function wordsOfNext(step: EscalationStep, { callable, agreed }: EscalationState): string {
  if (step.kind === 'second_messages') return nextWords.second_messages;
  if (step.kind === 'person_call') return nextWords.person_call(agreed ?? '');
  return nextWords.call(callable.find(({ person }) => person === step.person)?.name ?? '');
}

export function escalationOnPage({ store, escalations }: { store: EscalationStore; escalations: Pick<Escalations, 'stateOf'> }) {
  return async (incident: string, now: Date): Promise<EscalationOnPage> => {
    const state = await escalations.stateOf(incident);
    if (!state) return { view: null, events: [], rounds: [] };
    const steps = await store.stepsWithCalls(incident);
    const [due] = state.due;
    const next = due ? { step: due, at: now } : state.next;
    const view: EscalationView = {
      state: state.state,
      next: next?.step ? { words: wordsOfNext(next.step, state), time: next.at.toISOString() } : null,
    };
    const ended = state.state === 'ended' && state.escalation.stopped ? [lineOf(state.escalation.stopped, stepWords.ended)] : [];
    return {
      view,
      events: [...steps.flatMap(eventOf), ...ended],
      rounds: steps.filter(({ step }) => step === 'second_messages').map(({ number }) => number),
    };
  };
}
