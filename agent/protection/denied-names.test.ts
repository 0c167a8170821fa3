import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { compileSet } from '@porchlight/definitions/match.ts';
import { definitionWith } from '@porchlight/definitions/testing/definition-with.ts';
import { expect, test } from 'vitest';
import type { Rules } from '../state/in-force.ts';
import { deniedContents, deniedDefinitions, deniedNames } from './denied-names.ts';

const now = new Date('2026-11-22T12:00:00Z');
const acme = definitionWith('acme', {
  in_scams: true,
  programs: {
    names: [
      { os: 'windows', name: 'acme.exe' },
      { os: 'linux', name: 'acme' },
    ],
    original_names: ['AcmeControl.exe'],
  },
});
const cleaner = definitionWith('cleaner', {
  category: 'DeceptiveUtility',
  programs: { names: [{ os: 'windows', name: 'fastcleaner.exe' }], original_names: ['FastCleaner.exe'] },
});
const set = { version: 1, issued: '2026-01-01T00:00:00.000Z', definitions: [acme, cleaner] };
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
  ['a profile that stops remote control', rules(), ['acme']],
  ['a profile that stops both', rules({ actions: { ...rules().actions, DeceptiveUtility: 'block' } }), ['acme', 'cleaner']],
  ['a profile that only alerts', rules({ actions: { ...rules().actions, RemoteControl: 'alert' } }), []],
  ['a profile that stops only what is certain', rules({ block_likely: false }), []],
  ['an entry of the allow list', rules({ allow: allowed(null) }), []],
  ['an entry that has not ended', rules({ allow: allowed(later) }), []],
  ['an entry that has ended', rules({ allow: allowed(earlier) }), ['acme']],
  ['a pause, which has no rules', null, []],
])(
  'with %s the same definitions are denied by what their files say, and by name if scammers use them',
  (_what, rulesInForce, identifiers) => {
    const denied = deniedDefinitions(rulesInForce, set, now);
    expect(denied.map(({ identifier }) => identifier)).toEqual(identifiers);
    expect(deniedNames(denied)).toEqual(identifiers.includes('acme') ? ['acme.exe'] : []);
    const contents = deniedContents(denied, compileSet(set));
    expect(contents.count()).toBe(identifiers.length);
    const text = contents.text({ mode: 'enforced', version: 1 });
    expect([text.includes('AcmeControl.exe'), text.includes('FastCleaner.exe')]).toEqual([
      identifiers.includes('acme'),
      identifiers.includes('cleaner'),
    ]);
  },
);

test('[P12.7] Windows refuses the names of the tools that scammers use, and of no program of Microsoft', () => {
  const definitions = readCatalogue();
  const names = deniedNames(deniedDefinitions(rules(), { ...set, definitions }, now));
  expect(names).toEqual(expect.arrayContaining(['AnyDesk.exe', 'UltraViewer_Desktop.exe', 'ScreenConnect.WindowsClient.exe']));
  for (const name of ['mstsc.exe', 'msra.exe', 'quickassist.exe']) expect(names.map((one) => one.toLowerCase())).not.toContain(name);
  expect(names.length).toBeLessThan(400);
});

test('without definitions nothing is denied', () => {
  expect(deniedDefinitions(rules(), null, now)).toEqual([]);
  expect(deniedContents([], null).count()).toBe(0);
});
