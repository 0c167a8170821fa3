import { expect, test, vi } from 'vitest';
import { operatorSupport, supportHref, supportOf } from './support.ts';

/** What the server writes into the page (P1.7). */
const { theirs } = vi.hoisted(() => {
  const theirs = { title: 'Customer support', email: 'help@operator.example', phone: '1-800-555-0199' };
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify({ support: theirs }) }) });
  return { theirs };
});

const none = { email: null, phone: null, title: null, description: null, exclusive: false, link: null, linktext: null };

test('[1.4] without details of their own a person asks the operator, under the default title', () => {
  expect(supportOf(null)).toBe(operatorSupport);
  expect(operatorSupport).toMatchObject(theirs);
});

test('[1.4] details of one’s own take the place of all of the operator’s; a title that is not given is the default one', () => {
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

test('details by which nobody can be reached, or that lead somewhere odd, leave the operator in place', () => {
  expect(supportOf({ ...none, title: 'Nobody' })).toBe(operatorSupport);
  expect(supportOf({ ...none, link: 'javascript:alert(1)' })).toBe(operatorSupport);
});

test('one link stands for all: the page, else the mail, else the phone', () => {
  const all = { ...none, email: 'help@bank.example', phone: '+1 (202) 555-0143', link: 'https://bank.example/help' };
  expect(supportHref(supportOf(all))).toBe('https://bank.example/help');
  expect(supportHref(supportOf({ ...all, link: null }))).toBe('mailto:help@bank.example');
  expect(supportHref(supportOf({ ...all, link: null, email: null }))).toBe('tel:+12025550143');
});
