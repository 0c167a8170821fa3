import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalHost } from './host.ts';

const read = (text: string) => {
  const reading = canonicalHost(text);
  return 'host' in reading ? `${reading.kind} ${reading.host}` : reading.wrong;
};

test.each([
  ['example.com', 'name example.com'],
  [' Example.COM. ', 'name example.com'],
  ['https://user:secret@WWW.example.com:8443/a?b#c', 'name www.example.com'],
  ['//example.com/x', 'name example.com'],
  ['example.com:443', 'name example.com'],
  ['user@example.com', 'name example.com'],
  ['bücher.example', 'name xn--bcher-kva.example'],
  ['BÜCHER.example', 'name xn--bcher-kva.example'],
  ['xn--BCHER-kva.example', 'name xn--bcher-kva.example'],
  ['ａｐｐｌｅ．ｃｏｍ', 'name apple.com'],
  ['apple。com', 'name apple.com'],
  ['ex%61mple.com', 'name example.com'],
  ['аpple.com', 'name xn--pple-43d.com'],
  ['fa\u00adke.com', 'name fake.com'],
  ['_dmarc.example.com', 'name _dmarc.example.com'],
  ['r3---sn-abc.example.com', 'name r3---sn-abc.example.com'],
  ['-odd-.example.com', 'name -odd-.example.com'],
  ['localhost', 'name localhost'],
  ['192.168.0.1', 'address 192.168.0.1'],
  ['0x7f.1', 'address 127.0.0.1'],
  ['2130706433', 'address 127.0.0.1'],
  ['0300.0250.1', 'address 192.168.0.1'],
  ['1.2.3.4.', 'address 1.2.3.4'],
  ['[::1]', 'address [::1]'],
  ['::1', 'address [::1]'],
  ['2001:DB8::1', 'address [2001:db8::1]'],
  ['', 'there is nothing here'],
  ['   ', 'there is nothing here'],
  ['.', 'it has no host'],
  ['a..b', 'there are two dots side by side'],
  ['.example.com', 'there are two dots side by side'],
  ['1.2.3.256', 'no browser takes this for an address'],
  ['example.1', 'no browser takes this for an address'],
  ['xn--a-ecp.ru', 'name xn--a-ecp.ru'],
  ['exa mple.com', 'no browser takes this for an address'],
  ['exa<mple.com', 'no browser takes this for an address'],
  ["it's.com", 'names have letters, digits and dashes only'],
  ['mailto:someone@example.com', 'an address that begins with mailto: has no host'],
  ['http:example.com', 'name example.com'],
  ['example.com:no-port', 'an address that begins with example.com: has no host'],
  ['file:///etc/hosts', 'an address that begins with file: has no host'],
  [`${'a'.repeat(64)}.com`, 'a part of the name is longer than 63 letters'],
  [`${'a.'.repeat(127)}com`, 'the name is longer than 253 letters'],
  ['a'.repeat(5000), 'it is too long for an address'],
])('canonicalHost reads %j as %s', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test('canonicalHost is idempotent', () => {
  const fragment = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('xn--', '.', '0x1', '1', 'com', '%2e', ':80', 'ß', '。', '@', '/'),
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 6 }), (fragments) => {
      const firstReading = canonicalHost(fragments.join(''));
      if ('host' in firstReading) expect(canonicalHost(firstReading.host)).toEqual(firstReading);
    }),
    { numRuns: 2000 },
  );
});
