import { expect, test } from 'vitest';
import type { EventFacts } from '../incident-events.ts';
import { eventSentence, nextWords } from './incident-events.ts';

const times = { moment: () => 'noon', date: () => 'March 3' };
const found = { event: 'detection', name: 'AnyDesk', category: 'RemoteControl', blocked: true, site: false, times: 1 } as const;
const activities = [{ kind: 'allowed', device: 'Den PC', what: 'AnyDesk' } as const];
const wants = 'Ann wants to allow AnyDesk on Den PC.';

test.each<[sentence: string, facts: EventFacts]>([
  ['AnyDesk was started on Den PC.', { event: 'opened', opener: 'started', what: 'AnyDesk', device: 'Den PC' }],
  ['Someone at Den PC pressed “I need help now”.', { event: 'opened', opener: 'help', what: null, device: 'Den PC' }],
  ['We stopped AnyDesk.', found],
  ['We stopped AnyDesk 3 times.', { ...found, times: 3 }],
  ['AnyDesk ran. We did not stop it.', { ...found, blocked: false }],
  ['We blocked anydesk.com.', { ...found, name: 'anydesk.com', site: true }],
  ['anydesk.com was opened. We did not block it.', { ...found, name: 'anydesk.com', site: true, blocked: false }],
  ['Someone opened a way in: a new administrator.', { ...found, name: 'A new administrator', category: 'Door', blocked: false }],
  ['We closed it again: Remote Desktop.', { ...found, name: 'Remote Desktop', category: 'Door' }],
  ['Money pages rested 2 times.', { ...found, category: 'MoneySite', times: 2 }],
  [
    'Protection on Den PC was paused until noon.',
    { event: 'activity', kind: 'paused', who: 'Ann', device: 'Den PC', what: '2026-11-21T14:00:00Z' },
  ],
  [
    'The password of Ann’s account was changed. We can’t see who did it.',
    { event: 'activity', kind: 'password_changed', who: 'Ann', device: '', what: '' },
  ],
  [wants, { event: 'requested', who: 'Ann', activities }],
  [`Nobody answered, and it was done with the password: ${wants}`, { event: 'passed', who: 'Ann', activities }],
  [`After the yes it was done: ${wants}`, { event: 'done', who: 'Ann', activities }],
  [`The no took it back: ${wants}`, { event: 'undone', who: 'Ann', activities }],
  [`Support let it through: ${wants}`, { event: 'lifted', who: 'Ann', activities }],
  [`After that it was done: ${wants}`, { event: 'done_lifted', who: 'Ann', activities }],
  ['Bob said no.', { event: 'answer', name: 'Bob', answer: 'no' }],
  ['Bob said: money was lost.', { event: 'how', name: 'Bob', how: 'lost_money' }],
  ['Bob is on it.', { event: 'on_it', name: 'Bob' }],
  ['From Ann’s account: “I’m on it.”', { event: 'account_on_it', name: 'Ann' }],
  ['Ann said: “It was me.”', { event: 'mine', name: 'Ann' }],
  ['Bob said it’s over.', { event: 'over', name: 'Bob', stopped_allowing: [] }],
  ['Bob said it’s over, and stopped allowing AnyDesk.', { event: 'over', name: 'Bob', stopped_allowing: ['AnyDesk'] }],
  ['Ann wants to end this.', { event: 'over_asked', name: 'Ann', stopped_allowing: [] }],
  [
    'Ann wants to end this, and stopped allowing AnyDesk and example.com.',
    { event: 'over_asked', name: 'Ann', stopped_allowing: ['AnyDesk', 'example.com'] },
  ],
  ['We are calling Bob.', { event: 'call', name: 'Bob', result: 'ringing' }],
  ['We called Bob. They pressed 1.', { event: 'call', name: 'Bob', result: 'pressed' }],
  ['We called Bob. They picked up, and did not press 1.', { event: 'call', name: 'Bob', result: 'completed' }],
  ['We called Bob.', { event: 'call', name: 'Bob', result: null }],
  ['We called Mum on their own phone. They picked up, and heard our warning.', { event: 'person_call', name: 'Mum', result: 'completed' }],
  ['We called Mum on their own phone. Nobody picked up.', { event: 'person_call', name: 'Mum', result: 'no_answer' }],
  ['Nobody had answered, so we wrote to everyone again.', { event: 'second_messages' }],
  ['We tried everyone, and nobody has answered.', { event: 'unanswered' }],
  ['This ended, because nothing more happened for a day.', { event: 'ended' }],
])('%s', (sentence, facts) => {
  expect(eventSentence(facts, times)).toBe(sentence);
});

test('what happens next names whom we call, and nobody where we write to all', () => {
  expect(nextWords({ step: 'call', name: 'Bob' })).toBe('we call Bob');
  expect(nextWords({ step: 'person_call', name: 'Mum' })).toBe('we call Mum on their own phone');
  expect(nextWords({ step: 'second_messages', name: '' })).toBe('we write to everyone again');
});
