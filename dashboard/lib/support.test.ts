import { expect, test, vi } from 'vitest';
import { operatorSupport, supportHref, supportOf } from './support.ts';

/** What the server writes into the page (P1.7). */
const { theirs } = vi.hoisted(() => {
  const theirs = { title: 'Customer support', email: 'help@operator.example', phone: '1-800-555-0199' };
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify({ support: theirs }) }) });
  return { theirs };
});

const none = { email: null, phone: null, title: null, description: null, exclusive: false, link: null, linktext: null };

test('[1.4] support without details of one’s own is the operator’s, under the default title', () => {
  expect(supportOf(null)).toBe(operatorSupport);
  expect(operatorSupport).toMatchObject(theirs);
});

test('[1.4] support details of one’s own replace all of the operator’s; a missing title is the default one', () => {
  expect(supportOf({ ...none, email: 'help@bank.example' })).toEqual({
    title: 'Customer support',
    description: null,
    email: 'help@bank.example',
    phone: null,
    link: null,
  });
  expect(supportOf({ ...none, title: 'Acme Bank', link: 'https://bank.example/help', linktext: 'Chat with us' })).toMatchObject({
    title: 'Acme Bank',
    link: { href: 'https://bank.example/help', text: 'Chat with us' },
  });
  expect(supportOf({ ...none, title: 'Acme Bank', link: 'https://bank.example/help' }).link?.text).toBe('Acme Bank');
});

test('support details without a way to reach anyone, or with an unsafe link, leave the operator’s in place', () => {
  expect(supportOf({ ...none, title: 'Nobody' })).toBe(operatorSupport);
  expect(supportOf({ ...none, link: 'javascript:alert(1)' })).toBe(operatorSupport);
});

test('the one support link is the page, else the email, else the phone', () => {
  const all = { ...none, email: 'help@bank.example', phone: '+1 (202) 555-0143', link: 'https://bank.example/help' };
  expect(supportHref(supportOf(all))).toBe('https://bank.example/help');
  expect(supportHref(supportOf({ ...all, link: null }))).toBe('mailto:help@bank.example');
  expect(supportHref(supportOf({ ...all, link: null, email: null }))).toBe('tel:+12025550143');
});
