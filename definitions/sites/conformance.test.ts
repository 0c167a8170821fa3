import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Case, exceptions } from './conformance-exceptions.ts';
import { canonicalHost, type HostReading, hostOfUrl } from './host.ts';
import { registrableDomain } from './public-suffix.ts';

const folder = ['../../../shared/data/conformance', '../../../../shared/data/conformance']
  .map((up) => new URL(`${up}/`, import.meta.url))
  .find((url) => existsSync(url));
if (!folder) console.log('skipped: the public test suites of hosts do not lie beside the repository');

const networked = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);
const hostOf = (reading: HostReading): string | null => ('host' in reading ? reading.host : null);
const text = (file: string) => readFileSync(new URL(file, folder), 'utf8');

function suite<T>(file: string): T[] {
  return (JSON.parse(text(file)) as (T | string)[]).filter((one): one is T => typeof one !== 'string');
}

function compare(kind: 'toascii' | 'idna' | 'url', cases: Case[], read: (index: number, input: string) => HostReading): void {
  const exceptionCounts = exceptions.map(() => 0);
  const wrongCases = cases.flatMap(({ input, expected }, index) => {
    const exceptionIndex = expected === null ? -1 : exceptions.findIndex((one) => one.applies(expected));
    const exception = exceptions[exceptionIndex];
    if (exception) exceptionCounts[exceptionIndex] = (exceptionCounts[exceptionIndex] ?? 0) + 1;
    const expectedHost = exception && expected !== null ? exception.instead(expected) : expected;
    const host = hostOf(read(index, input));
    return host === expectedHost ? [] : [{ input, wanted: expectedHost, host }];
  });
  expect(wrongCases).toEqual([]);
  expect(exceptions.map(({ reason }, index) => `${exceptionCounts[index]} × ${reason}`)).toEqual(
    exceptions.map(({ reason, cases: counts }) => `${counts[kind]} × ${reason}`),
  );
}

test.skipIf(!folder).each([
  ['toascii', 'wpt-toascii.json', 87],
  ['idna', 'wpt-IdnaTestV2.json', 2671],
] as const)('every name of the test suite %s is converted to ASCII as expected, apart from the listed exceptions', (kind, file, count) => {
  const cases = suite<{ input: string; output: string | null }>(file).map(({ input, output }) => ({ input, expected: output }));
  expect(cases).toHaveLength(count);
  // For an address without a host, browsers read the next word as the host.
  compare(kind, cases, (_at, input) => (input === '' ? canonicalHost(input) : hostOfUrl(`https://${input}/x`)));
});

test.skipIf(!folder)('every URL of the WHATWG test suite has the expected host, apart from the listed exceptions', () => {
  const raw = suite<{ input: string; base?: string | null; failure?: boolean; protocol?: string; hostname?: string }>(
    'wpt-urltestdata.json',
  );
  expect(raw).toHaveLength(891);
  const cases = raw.map(({ input, failure, protocol = '', hostname = '' }) => ({
    input,
    expected: failure || !networked.has(protocol) ? null : hostname,
  }));
  compare('url', cases, (index, input) => hostOfUrl(input, raw[index]?.base ?? undefined));
});

test.skipIf(!folder).each([
  ['psl-tests.txt', /^([^/\s]\S*) (\S+)$/],
  ['psl-test_psl.txt', /^checkPublicSuffix\('?([^']*?)'?, '?([^']*?)'?\);$/],
])('every check of the Public Suffix List in %s passes', (file, pattern) => {
  const checks = text(file)
    .split('\n')
    .flatMap((line) => {
      const [, name = '', domain = ''] = pattern.exec(line.trim()) ?? [];
      return name === '' ? [] : [{ name, domain }];
    });
  expect(checks).toHaveLength(78);
  const ascii = (name: string) => (name === 'null' ? null : hostOf(canonicalHost(name)));
  for (const { name, domain } of checks) {
    const host = ascii(name);
    expect(host && registrableDomain(host), name).toBe(ascii(domain));
  }
});
