import { describe, expect, it } from 'vitest';
import type { CallState } from '../../db/reach-tables.ts';
import { isMachine, nextState, stateOfStatus } from './call-state.ts';

describe('the state of a call', () => {
  const rows: [CallState, CallState, CallState][] = [
    ['queued', 'ringing', 'ringing'],
    ['queued', 'failed', 'failed'],
    ['ringing', 'ringing', 'ringing'],
    ['ringing', 'answered', 'answered'],
    ['ringing', 'busy', 'busy'],
    ['answered', 'ringing', 'answered'],
    ['answered', 'completed', 'completed'],
    ['answered', 'machine', 'machine'],
    ['ringing', 'completed', 'no_answer'],
    ['queued', 'completed', 'no_answer'],
    ['machine', 'completed', 'machine'],
    ['machine', 'answered', 'machine'],
    ['no_answer', 'answered', 'no_answer'],
    ['completed', 'failed', 'completed'],
  ];
  it.each(rows)('after %s, a report of %s makes %s', (current, reported, expected) => {
    expect(nextState(current, reported)).toBe(expected);
  });

  it('follows the names of Twilio, and ignores unknown ones', () => {
    const states = ['queued', 'initiated', 'ringing', 'in-progress', 'completed', 'busy', 'no-answer', 'failed', 'canceled', 'toString'];
    expect(states.map(stateOfStatus)).toEqual([
      null,
      'ringing',
      'ringing',
      'ringing',
      'completed',
      'busy',
      'no_answer',
      'failed',
      'failed',
      null,
    ]);
  });

  it('knows voicemail and fax machines from people', () => {
    const answerers = ['machine_start', 'machine_end_beep', 'machine_end_silence', 'machine_end_other', 'fax', 'human', 'unknown', null];
    expect(answerers.map(isMachine)).toEqual([true, true, true, true, true, false, false, false]);
  });
});
