import { expect, test } from 'vitest';
import { listServer } from '../../testing/list-server.ts';
import { isInternal, listFetcher } from './fetch-list.ts';

const noCache = { etag: null, last_modified: null };
const never = new AbortController().signal;

test.each([
  'http://lists.example.org/x',
  'https://127.0.0.1/x',
  'https://[::1]/x',
  'https://[::ffff:127.0.0.1]/x',
  'https://10.1.2.3/x',
  'https://169.254.169.254/latest/meta-data',
  'https://0x7f000001/x',
  'https://localhost/x',
])('a site list at %s is never fetched', async (url) => {
  await expect(listFetcher()(url, noCache, never)).rejects.toThrow(/https|internet|no address/);
});

test('a redirect to this computer, or away from https, is not followed', async () => {
  const list = await listServer('x');
  await expect(listFetcher()(list.url, noCache, never)).rejects.toThrow('https');
  expect(list.asked).toEqual([]);
});

test.each([
  ['8.8.8.8', false],
  ['172.15.0.1', false],
  ['172.16.0.1', true],
  ['192.168.1.1', true],
  ['100.64.0.1', true],
  ['0.0.0.0', true],
  ['255.255.255.255', true],
  ['2606:4700::1111', false],
  ['::1', true],
  ['fe80::1', true],
  ['fd00::1', true],
  ['::ffff:10.0.0.1', true],
  ['64:ff9b::7f00:1', true],
  ['2002:7f00:1::', true],
])('whether the address %s is internal: %s', (address, expected) => {
  expect(isInternal(address)).toBe(expected);
});
