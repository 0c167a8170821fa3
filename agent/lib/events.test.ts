import { expect, test, vi } from 'vitest';
import { collected, eventHub } from './events.ts';

test('an event reaches every listener of its name, in the order in which they were added, and nobody else', () => {
  const events = eventHub<'linked' | 'policyChanged'>();
  const heard: string[] = [];
  const other = vi.fn<() => void>();
  events.on('linked', () => heard.push('first'));
  events.on('linked', () => heard.push('second'));
  events.on('policyChanged', other);
  events.emit('linked');
  expect(heard).toEqual(['first', 'second']);
  expect(other).not.toHaveBeenCalled();
});

test('an event without a listener is no error', () => {
  expect(() => eventHub<'linked'>().emit('linked')).not.toThrow();
});

test('a collected list has the pieces of every source as they are at the time of the call', () => {
  const problems = collected<string>();
  const own: string[] = [];
  problems.add(() => own);
  problems.add(() => ['no network']);
  own.push('port taken');
  expect(problems.all()).toEqual(['port taken', 'no network']);
});
