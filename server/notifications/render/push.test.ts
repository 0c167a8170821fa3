import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { expect, test } from 'vitest';
import { type Email, writeEmail } from '../../texts/email.ts';
import { pushOf } from './push.ts';
import type { DeliveryRule, Message } from './rendering.ts';

const rule: DeliveryRule = { category: 'alert', about: 'uuid', urgency: 'urgent' };
const url = 'https://x.example/a';
const email: Email = {
  subject: 'Ann may need you',
  heading: 'Ann may need you',
  call: { label: 'Call Ann', number: '+12025550143', shown: '+1 202 555 0143' },
  sections: [
    { title: 'What happened', text: 'AnyDesk was started on Den PC.' },
    { title: 'Is it over?', text: 'Yes, on this computer.' },
    { title: 'What to do now', text: 'Call Ann now. Say: “You did nothing wrong. Hang up. I’m with you.”' },
  ],
  button: { label: 'See how Ann is', url },
  quiet: { label: 'Stop this', url: `${url}?stop=1` },
};
const message = (change: Partial<Email> = {}, sms: string | null = 'x'): Message => ({ email: writeEmail({ ...email, ...change }), sms });

test('[P11.6] a push message has the subject of the email, its sentences without links, and the page of its button', () => {
  expect(pushOf(message(), rule)).toEqual({
    title: 'Ann may need you',
    body: 'AnyDesk was started on Den PC. Call Ann now. Say: “You did nothing wrong. Hang up. I’m with you.”',
    url,
    tag: 'alert:uuid',
  });
});

test.each([
  ['urgent with a text', 'urgent', 'x', true],
  ['urgent without a text', 'urgent', null, true],
  ['ordinary with a text', 'ordinary', 'x', true],
  ['ordinary without a text', 'ordinary', null, false],
  ['in bulk, as the weekly report', 'bulk', null, false],
] as const)('whether a notification is sent by push, %s', (_what, urgency, sms, expected) => {
  expect(pushOf(message({}, sms), { ...rule, urgency }) !== null).toBe(expected);
});

test('there is no push message without an email, or to a page that does not exist', () => {
  expect(pushOf({ email: null, sms: 'x' }, rule)).toBeNull();
  const { button: _, ...withoutButton } = email;
  expect(pushOf({ email: writeEmail(withoutButton), sms: 'x' }, rule)).toBeNull();
});

test('a long push message is cut between sentences, and within one only where the first is too long; never within a character', () => {
  const family = '👨‍👩‍👧‍👦';
  const bodyOf = (text: string) => pushOf(message({ sections: [{ title: 'What happened', text }] }), rule)?.body ?? '';
  const long = `${'x'.repeat(150)}. ${'y'.repeat(150)}. Short.`;
  expect(bodyOf(long)).toBe(`${'x'.repeat(150)}.`);
  // What to say is complete or missing.
  expect(bodyOf(`Call Ann. Say: “${'No. '.repeat(60)}”`)).toBe('Call Ann.');
  const cut = bodyOf(family.repeat(40));
  expect(cut).toBe(`${family.repeat(Math.floor((serverLimits.push_body_max - 1) / family.length))}…`);
  const { title = '' } = pushOf(message({ subject: 'z'.repeat(300) }), rule) ?? {};
  expect(title).toBe(`${'z'.repeat(serverLimits.push_title_max - 1)}…`);
});
