import { expect, test } from 'vitest';
import { cleanAddress, cleanText } from './addresses.ts';

const id = '11111111-1111-4111-8111-111111111111';
const patterns: [RegExp, string][] = [
  [/^\/reset-password\/.+/, '/reset-password/:resetToken'],
  [/^\/devices\/[^/]+$/, '/devices/:deviceId'],
  [/^\/login$/, '/login'],
  [/^\/$/, '/'],
];
const siteLocation = {
  origin: 'https://www.example.org',
  patternOf: (path: string) => patterns.find(([pattern]) => pattern.test(path))?.[1] ?? '/*',
};
const cleanPath = (path: string) => cleanAddress(`https://www.example.org${path}`, siteLocation).replace(siteLocation.origin, '');

test.each([
  ['/dashboard/reset-password/SECRET?utm_source=x&email=y', '/dashboard/reset-password/:resetToken?utm_source=x'],
  [`/dashboard/devices/${id}?detectionId=${id}#here`, '/dashboard/devices/:deviceId'],
  ['/dashboard', '/dashboard/'],
  ['/dashboard/share/ABCD-EFGH', '/dashboard/*'],
  ['/dashboard/guardian/x/KEY', '/dashboard/*'],
  ['/dashboard/assets/index-BMZJOpmE.js?x=1', '/dashboard/assets/index-BMZJOpmE.js'],
  [`/api/web/devices/${id}/code`, '/api/web/devices/:id/code'],
  ['/api/guardian/Xy_9/session', '/api/guardian/:id/session'],
  ['/api/web/devices/x9/v2/exceptions?a=b', '/api/web/devices/:id/v2/exceptions'],
  ['/api/definitions/allowlistable.json', '/api/definitions/allowlistable.json'],
  ['/dashboard-of-others/KEY', '/dashboard-of-others/:id'],
])('[7.39] the address %s is reported as %s', (path, reportedAs) => {
  expect(cleanPath(path)).toBe(reportedAs);
});

test('[7.39] only the campaign’s query parameters are reported, and none whose value is an address', () => {
  const names = ['ref', 'referrer', 'source', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'];
  const query = new URLSearchParams([...names, 'email', 'token', 'code', 'notice', 'utm_id', 'gclid'].map((name) => [name, `v-${name}`]));
  expect(cleanPath(`/dashboard/login?${query}`)).toBe(`/dashboard/login?${new URLSearchParams(names.map((name) => [name, `v-${name}`]))}`);
  expect(cleanPath('/dashboard/login?ref=ann%40example.org&source=mail')).toBe('/dashboard/login?source=mail');
});

test.each([
  ['https://checkout.example.com/pay/cs_SECRET?x=1', 'https://checkout.example.com'],
  ['blob:https://www.example.org/SECRET', 'blob:'],
  ['data:text/plain,SECRET', 'data:'],
  ['https://', ''],
])('the address %s of another host or kind is reported as %s', (url, reportedAs) => {
  expect(cleanAddress(url, siteLocation)).toBe(reportedAs);
});

test('a cleaned text keeps its words and loses addresses, emails and ids', () => {
  const text = JSON.stringify({
    transaction: '/dashboard/reset-password/SECRET',
    message: `Ann <ann.example+1@example.org> opened https://www.example.org/dashboard/reset-password/SECRET, then ${id}`,
    stack: 'at f (https://www.example.org/dashboard/assets/index-a.js:1:234)',
    'url.query': '?code=SECRET',
    release: 'porchlight@1.0.0',
    link: 'porchlight://link?code=SECRET',
    element: 'li > button.btn[title="Remove Bob SECRET as a guardian"]',
  });
  const cleanedText = cleanText(text, siteLocation);
  expect(cleanedText).not.toMatch(/SECRET|ann\.example|11111111/);
  expect(JSON.parse(cleanedText)).toEqual({
    transaction: '/dashboard/reset-password/:resetToken',
    message: 'Ann <:email> opened https://www.example.org/dashboard/reset-password/:resetToken then :uuid',
    stack: 'at f (https://www.example.org/dashboard/assets/index-a.js:1:234)',
    'url.query': '?',
    release: 'porchlight@1.0.0',
    link: 'porchlight:',
    element: 'li > button.btn',
  });
});
