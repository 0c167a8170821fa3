import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { definitionWith } from '@porchlight/definitions/testing/definition-with.ts';
import { expect, test } from 'vitest';
import type { Rules } from '../state/in-force.ts';
import { deniedNames } from './denied-names.ts';

const now = new Date('2026-11-22T12:00:00Z');
const acme = definitionWith('acme', {
  in_scams: true,
  programs: {
    names: [
      { os: 'windows', name: 'acme.exe' },
      { os: 'linux', name: 'acme' },
    ],
  },
});
const cleaner = definitionWith('cleaner', {
  in_scams: true,
  category: 'DeceptiveUtility',
  programs: { names: [{ os: 'windows', name: 'fastcleaner.exe' }] },
});
const unused = definitionWith('unused', { programs: { names: [{ os: 'windows', name: 'unused.exe' }] } });
const set = { version: 1, issued: '2026-01-01T00:00:00.000Z', definitions: [acme, cleaner, unused] };
const rules = (more: Partial<Rules> = {}): Rules => ({
  actions: { RemoteControl: 'block', ScamWebsite: 'block', DeceptiveUtility: 'alert' },
  block_likely: true,
  allow: [],
  ...more,
});
const allowed = (until: string | null) => [{ type: 'definition' as const, identifier: 'acme', until, reported_until: null }];
const later = '2026-11-22T12:00:01.000Z';
const earlier = '2026-11-22T11:59:59.000Z';

test.each<[string, Rules | null, string[]]>([
  ['a profile that stops remote control', rules(), ['acme.exe']],
  ['a profile that stops both', rules({ actions: { ...rules().actions, DeceptiveUtility: 'block' } }), ['acme.exe', 'fastcleaner.exe']],
  ['a profile that only alerts', rules({ actions: { ...rules().actions, RemoteControl: 'alert' } }), []],
  ['a profile that stops only what is certain', rules({ block_likely: false }), []],
  ['an entry of the allow list', rules({ allow: allowed(null) }), []],
  ['an entry that has not ended', rules({ allow: allowed(later) }), []],
  ['an entry that has ended', rules({ allow: allowed(earlier) }), ['acme.exe']],
  ['a pause, which has no rules', null, []],
])('with %s the file names on Windows of the blocked definitions that scammers use are denied', (_what, rulesInForce, names) => {
  expect(deniedNames(rulesInForce, set, now)).toEqual(names);
});

test('[P12.7] Windows refuses the names of the tools that scammers use, and of no program of Microsoft', () => {
  const definitions = readCatalogue();
  const names = deniedNames(rules(), { ...set, definitions }, now);
  expect(names).toEqual(expect.arrayContaining(['AnyDesk.exe', 'UltraViewer_Desktop.exe', 'ScreenConnect.WindowsClient.exe']));
  for (const name of ['mstsc.exe', 'msra.exe', 'quickassist.exe']) expect(names.map((one) => one.toLowerCase())).not.toContain(name);
  expect(names.length).toBeLessThan(400);
});

test('without definitions nothing is denied', () => {
  expect(deniedNames(rules(), null, now)).toEqual([]);
});
