import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { freeMemory, unmodifiedMappings } from './free-memory.ts';

const smaps = `00400000-00e37000 r--p 00000000 fe:00 2474009                            /opt/a b/agent
Rss:                5852 kB
Anonymous:             0 kB
00e37000-03401000 r-xp 00a37000 fe:00 2474009                            /opt/a b/agent
Anonymous:             0 kB
06b19000-06b1d000 r--p 03001000 fe:00 2474009                            /opt/a b/agent
Anonymous:            16 kB
06b1d000-06b46000 rw-p 0671c000 fe:00 2474009                            /opt/a b/agent
Anonymous:             0 kB
22e88000-23ebe000 rw-p 00000000 00:00 0                                  [heap]
Anonymous:         15956 kB
7fa046044000-7fa04619a000 r-xp 00026000 fe:00 339380                     /usr/lib/libc.so.6
Anonymous:             0 kB
`;

test('only unmodified memory pages of the given executable are released', () => {
  expect(unmodifiedMappings(smaps, '/opt/a b/agent')).toEqual([
    { from: 0x400000n, length: 0xa37000n },
    { from: 0xe37000n, length: 0x25ca000n },
  ]);
  expect(unmodifiedMappings(smaps, '/opt/a')).toEqual([]);
});

test('after memory pages are released, the process uses less memory and still works', async () => {
  const residentSize = () => Number(/^RssFile:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  const sizeBefore = residentSize();
  await freeMemory();
  expect(residentSize()).toBeLessThan(sizeBefore * 0.75);
  expect(JSON.parse(JSON.stringify({ a: [1, 'é'.normalize('NFD').length] }))).toEqual({ a: [1, 2] });
});
