import type { EscalationView } from '@porchlight/contract/incidents.ts';
import { nextWords } from '@porchlight/contract/words/incident-events.ts';
import type { EscalationOnPage, ReachedEvent } from '../../incident-ports.ts';
import type { EscalationState, Escalations } from './escalations.ts';
import type { EscalationStep } from './plan.ts';
import type { EscalationStore, StepWithCall } from './store.ts';

function eventOf({ step, time, name, result }: StepWithCall): ReachedEvent[] {
  if (step === 'second_messages') return [{ time, facts: { event: step } }];
  if (name === null) return [];
  const event = step === 'person_call' ? step : 'call';
  return [{ time, facts: { event, name, result: result && (result.pressed === '1' ? 'pressed' : result.state) } }];
}

function nextOf(step: EscalationStep, { callable, agreed }: EscalationState) {
  const nameOf = (uuid: string) => callable.find(({ person }) => person === uuid)?.name;
  const name = step.kind === 'call' ? nameOf(step.person) : step.kind === 'person_call' ? agreed : '';
  const facts = { step: step.kind, name: name ?? '' };
  return { ...facts, words: nextWords(facts) };
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
      next: next?.step ? { ...nextOf(next.step, state), time: next.at.toISOString() } : null,
    };
    const ended =
      state.state === 'ended' && state.escalation.stopped
        ? [{ time: state.escalation.stopped, facts: { event: 'unanswered' as const } }]
        : [];
    return {
      view,
      events: [...steps.flatMap(eventOf), ...ended],
      rounds: steps.filter(({ step }) => step === 'second_messages').map(({ number }) => number),
    };
  };
}
