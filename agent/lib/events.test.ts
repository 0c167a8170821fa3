import { expect, test, vi } from 'vitest';
import { collected, eventHub } from './events.ts';

test('an event reaches every listener of its name in the order of registration, and no other listener', () => {
  const events = eventHub<'linked' | 'policyChanged'>();
  const calls: string[] = [];
  const otherListener = vi.fn<() => void>();
  events.on('linked', () => calls.push('first'));
  events.on('linked', () => calls.push('second'));
  events.on('policyChanged', otherListener);
  events.emit('linked');
  expect(calls).toEqual(['first', 'second']);
  expect(otherListener).not.toHaveBeenCalled();
});

test('an event without a listener is no error', () => {
  expect(() => eventHub<'linked'>().emit('linked')).not.toThrow();
});

test('a collected list contains the items of every source at the time of the call', () => {
  const problems = collected<string>();
  const ownProblems: string[] = [];
  problems.add(() => ownProblems);
  problems.add(() => ['no network']);
  ownProblems.push('port taken');
  expect(problems.all()).toEqual(['port taken', 'no network']);
});
