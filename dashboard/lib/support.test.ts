import { afterAll, expect, test, vi } from 'vitest';

const theirs = { title: 'Customer support', email: 'help@operator.example', phone: '1-800-555-0199' };
vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify({ support: theirs }) }) });
// The settings of the page are read once, when the module is loaded, and files of tests share modules.
vi.resetModules();
const { operatorSupport, supportHref, supportOf } = await import('./support.ts');
afterAll(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const noDetails = { email: null, phone: null, title: null, description: null, exclusive: false, link: null, linktext: null };

test('[1.4] an account without support details of its own gets the operator’s, under the default title', () => {
  expect(supportOf(null)).toBe(operatorSupport);
  expect(operatorSupport).toMatchObject(theirs);
});

test('[1.4] an account’s own support details replace all of the operator’s; a missing title becomes the default one', () => {
  expect(supportOf({ ...noDetails, email: 'help@bank.example' })).toEqual({
    title: 'Customer support',
    description: null,
    email: 'help@bank.example',
    phone: null,
    link: null,
  });
  expect(supportOf({ ...noDetails, title: 'Acme Bank', link: 'https://bank.example/help', linktext: 'Chat with us' })).toMatchObject({
    title: 'Acme Bank',
    link: { href: 'https://bank.example/help', text: 'Chat with us' },
  });
  expect(supportOf({ ...noDetails, title: 'Acme Bank', link: 'https://bank.example/help' }).link?.text).toBe('Acme Bank');
});

test('support details without any contact, or with an unsafe link, do not replace the operator’s', () => {
  expect(supportOf({ ...noDetails, title: 'Nobody' })).toBe(operatorSupport);
  expect(supportOf({ ...noDetails, link: 'javascript:alert(1)' })).toBe(operatorSupport);
});

test('the single support link is the page, else the email, else the phone', () => {
  const allDetails = { ...noDetails, email: 'help@bank.example', phone: '+1 (202) 555-0143', link: 'https://bank.example/help' };
  expect(supportHref(supportOf(allDetails))).toBe('https://bank.example/help');
  expect(supportHref(supportOf({ ...allDetails, link: null }))).toBe('mailto:help@bank.example');
  expect(supportHref(supportOf({ ...allDetails, link: null, email: null }))).toBe('tel:+12025550143');
});
