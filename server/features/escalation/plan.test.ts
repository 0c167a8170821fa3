import { describe, expect, it } from 'vitest';
import type { CallState } from '../../db/reach-tables.ts';
import { call_given_up } from '../../notifications/calls/call-state.ts';
import { type EscalationFacts, planEscalation, stepKey } from './plan.ts';

const begun = new Date('2026-11-21T14:00:00.000Z');
const at = (minutes: number) => new Date(begun.getTime() + minutes * 60_000);
const facts = (minutes: number, more: Partial<EscalationFacts> = {}): EscalationFacts => ({
  begun,
  now: at(minutes),
  answered: false,
  over: false,
  answerable: true,
  callable: ['bob', 'carol'],
  person_callable: true,
  taken: new Set(),
  calls: [],
  ...more,
});
const call = (state: CallState, minutes: number) => ({ state, created: at(minutes) });
const second = 'second_messages';
const keysOf = ({ due, next, state }: ReturnType<typeof planEscalation>) => ({
  state,
  due: due.map(stepKey),
  next: next && [next.step && stepKey(next.step), (next.at.getTime() - begun.getTime()) / 60_000],
});

describe('the plan of an escalation', () => {
  const rows: [string, EscalationFacts, ReturnType<typeof keysOf>][] = [
    ['at its beginning it waits three minutes', facts(0), { state: 'running', due: [], next: [second, 3] }],
    ['a moment before three minutes nothing is due', facts(2.99), { state: 'running', due: [], next: [second, 3] }],
    ['after three minutes it writes again', facts(3), { state: 'running', due: [second], next: ['call:1:bob', 6] }],
    ['after that it waits for the calls', facts(4, { taken: new Set([second]) }), { state: 'running', due: [], next: ['call:1:bob', 6] }],
    [
      'after six minutes it calls the first guardian',
      facts(6, { taken: new Set([second]) }),
      { state: 'running', due: ['call:1:bob'], next: ['person_call', 10] },
    ],
    [
      'while that phone rings the second one waits',
      facts(6.2, { taken: new Set([second, 'call:1:bob']), calls: [call('ringing', 6)] }),
      { state: 'running', due: [], next: ['call:1:carol', 9] },
    ],
    [
      'while somebody listens the second one waits too',
      facts(6.2, { taken: new Set([second, 'call:1:bob']), calls: [call('answered', 6)] }),
      { state: 'running', due: [], next: ['call:1:carol', 9] },
    ],
    ...(['completed', 'machine', 'busy', 'no_answer', 'failed'] as const).map((state): (typeof rows)[number] => [
      `after a call that ended as ${state} it calls the next at once`,
      facts(6.4, { taken: new Set([second, 'call:1:bob']), calls: [call(state, 6)] }),
      { state: 'running', due: ['call:1:carol'], next: ['person_call', 10] },
    ]),
    [
      'a call whose end nobody reported gives way after three minutes',
      facts(9, { taken: new Set([second, 'call:1:bob']), calls: [call('ringing', 6)] }),
      { state: 'running', due: ['call:1:carol'], next: ['person_call', 10] },
    ],
    [
      'the second round of calls begins after eight minutes',
      facts(7.9, { taken: new Set([second, 'call:1:bob', 'call:1:carol']), calls: [call('busy', 7)] }),
      { state: 'running', due: [], next: ['call:2:bob', 8] },
    ],
    [
      'the call of the user of the computer is made beside the others',
      facts(10, { taken: new Set([second, 'call:1:bob', 'call:1:carol', 'call:2:bob']), calls: [call('ringing', 9.9)] }),
      { state: 'running', due: ['person_call'], next: ['call:2:carol', 12.9] },
    ],
    [
      'the last call is waited for',
      facts(12, {
        taken: new Set([second, 'call:1:bob', 'call:1:carol', 'call:2:bob', 'call:2:carol', 'person_call']),
        calls: [call('ringing', 11.5)],
      }),
      { state: 'running', due: [], next: [null, 14.5] },
    ],
    [
      'after two rounds it ends',
      facts(13, {
        taken: new Set([second, 'call:1:bob', 'call:1:carol', 'call:2:bob', 'call:2:carol', 'person_call']),
        calls: [call('no_answer', 11.5)],
      }),
      { state: 'ended', due: [], next: null },
    ],
    ['an answer ends it', facts(5, { answered: true }), { state: 'answered', due: [], next: null }],
    ['an answer counts also when it is over', facts(5, { answered: true, over: true }), { state: 'answered', due: [], next: null }],
    ['the end of the incident ends it', facts(5, { over: true }), { state: 'ended', due: [], next: null }],
    ['an hour late nothing is done any more', facts(60), { state: 'ended', due: [], next: null }],
    [
      'a little late everything due is done together',
      facts(59),
      { state: 'running', due: [second, 'call:1:bob', 'person_call'], next: null },
    ],
    [
      'without calls it ends after the second messages',
      facts(3.1, { callable: [], person_callable: false, taken: new Set([second]) }),
      { state: 'ended', due: [], next: null },
    ],
    [
      'where nobody may answer only the user of the computer is called',
      facts(0, { answerable: false, callable: [] }),
      { state: 'running', due: [], next: ['person_call', 10] },
    ],
  ];
  it.each(rows)('%s [P11.1]', (_title, given, expected) => {
    expect(keysOf(planEscalation(given))).toEqual(expected);
  });

  it('takes each step once, whatever the order of the results, and always ends', () => {
    const taken = new Set<string>();
    const calls: EscalationFacts['calls'] = [];
    const order: string[] = [];
    let now = 0;
    for (let turn = 0; turn < 100; turn++) {
      const plan = planEscalation(facts(now, { taken, calls }));
      if (plan.state === 'ended') break;
      for (const step of plan.due) {
        order.push(stepKey(step));
        taken.add(stepKey(step));
        if (step.kind === 'call') calls.push(call('ringing', now));
      }
      if (!plan.due.length) now = ((plan.next?.at ?? at(now)).getTime() - begun.getTime()) / 60_000;
    }
    expect(order).toEqual([second, 'call:1:bob', 'call:1:carol', 'person_call', 'call:2:bob', 'call:2:carol']);
    expect(now).toBeLessThan(6 + (5 * call_given_up) / 60_000);
  });
});
