import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCatalogue } from './catalogue.ts';
import type { ProgramSeen } from './format.ts';
import { actionFor, compileSet, matchProgram, matchSite } from './match.ts';
import { definitionWith } from './testing/definition-with.ts';

const set = compileSet({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions: readCatalogue() });
const windows = (name: string, facts: Partial<ProgramSeen> = {}): ProgramSeen => ({ os: 'windows', name, ...facts });

test.each<[string, ProgramSeen, string | null]>([
  ['its own name alone', windows('AnyDesk.exe'), 'anydesk likely'],
  ['its own name in other letters', windows('ANYDESK.EXE'), 'anydesk likely'],
  ['on Linux', { os: 'linux', name: 'anydesk' }, 'anydesk likely'],
  ['on a Mac', { os: 'macos', name: 'AnyDesk' }, 'anydesk likely'],
  ['name and company', windows('AnyDesk.exe', { company: 'AnyDesk Software GmbH' }), 'anydesk certain'],
  ['name and product', windows('TeamViewer.exe', { product: 'TeamViewer' }), 'teamviewer certain'],
  ['signer alone', windows('invoice.exe', { signer: 'AnyDesk Software GmbH' }), 'anydesk certain'],
  [
    'signer as a whole subject',
    windows('invoice.exe', { signer: 'CN="AnyDesk Software GmbH", O=AnyDesk Software GmbH, C=DE' }),
    'anydesk certain',
  ],
  [
    'renamed to svchost.exe, by original name and company',
    windows('svchost.exe', { original_name: 'AnyDesk.exe', company: 'AnyDesk Software GmbH' }),
    'anydesk certain',
  ],
  ['renamed to chrome.exe, by signer', windows('chrome.exe', { signer: 'TeamViewer Germany GmbH' }), 'teamviewer certain'],
  ['Apple team alone', { os: 'macos', name: 'x', team_id: 'KHRWM533LU' }, 'anydesk certain'],
  ['bundle identifier alone', { os: 'macos', name: 'x', bundle_id: 'com.carriez.rustdesk' }, 'rustdesk certain'],
  ['a generic name alone', windows('client32.exe'), null],
  ['a generic name with its company', windows('client32.exe', { company: 'NetSupport Ltd' }), 'netsupport certain'],
  ['a company that signs nothing else, alone', windows('x.exe', { company: 'AnyDesk Software GmbH' }), 'anydesk likely'],
  ['that company, signed by a known other one', windows('x.exe', { company: 'AnyDesk Software GmbH', signer: 'Google LLC' }), null],
  ['a company of many products alone', windows('x.exe', { company: 'SolarWinds, Inc.' }), null],
  ['product alone', windows('x.exe', { product: 'AnyDesk' }), 'anydesk likely'],
  ['product alone, of an unknown signer', windows('x.exe', { product: 'AnyDesk', signer: 'Nobody Knows Ltd' }), 'anydesk likely'],
  ['product alone, of a known other signer', windows('x.exe', { product: 'AnyDesk', signer: 'CN=Microsoft Windows, C=US' }), null],
  ['a product that is an ordinary word', windows('x.exe', { product: 'Remotely' }), null],
  ['an ordinary word with its file name', windows('Remotely_Agent.exe', { product: 'Remotely' }), 'remotely certain'],
  ['part of a product', windows('x.exe', { product: 'AnyDesk Remover' }), null],
  ['file description alone', windows('x.exe', { description: 'RustDesk Remote Desktop' }), 'rustdesk likely'],
  ['internal name alone', windows('x.exe', { internal_name: 'rustdesk' }), 'rustdesk likely'],
  ['another internal name', windows('x.exe', { internal_name: 'rusty-desk' }), null],
  [
    'a company as the signer, with a product',
    windows('x.exe', { signer: 'CentraStage Limited', product: 'Datto RMM' }),
    'datto-rmm certain',
  ],
  ['a signer of many products alone', windows('x.exe', { signer: 'SolarWinds, Inc.' }), null],
  ['part of a longer name', windows('notanydesk.exe'), null],
  ['with a number behind it', windows('anydesk2.exe'), null],
  ['with a space in it', windows('any desk.exe'), null],
  [
    'name and product, but signed by someone else',
    windows('AnyDesk.exe', { product: 'AnyDesk', company: 'Example Corp', signer: 'Example Corp' }),
    'anydesk likely',
  ],
  ['a second copy', windows('AnyDesk (1).exe'), 'anydesk likely'],
  ['a copy of a copy', windows('AnyDesk - Copy (2).exe'), 'anydesk likely'],
  ['with its version', windows('AnyDesk_7.0.14.exe'), 'anydesk likely'],
  ['as an installer', windows('TeamViewer_Setup_x64.exe'), 'teamviewer likely'],
  ['with a customer’s mark', windows('AnyDesk-c.exe'), 'anydesk likely'],
  ['with two endings', windows('AnyDesk.exe.exe'), 'anydesk likely'],
  ['with a character that nobody sees', windows('Any\u200bDesk.exe'), 'anydesk likely'],
  ['with a Cyrillic letter among Latin ones', windows('\u0410nyDesk.exe'), 'anydesk likely'],
  ['in full-width letters', windows('\uff21\uff4e\uff59\uff24\uff45\uff53\uff4b.exe'), 'anydesk likely'],
  ['a word behind it that is another program', windows('AnyDesk-remover.exe'), null],
  ['a word before it', windows('no-anydesk.exe'), null],
  ['renamed, with nothing but its original name', windows('svchost.exe', { original_name: 'AnyDesk.exe' }), 'anydesk likely'],
  ['renamed, original name and product', windows('chrome.exe', { original_name: 'AnyDesk.exe', product: 'AnyDesk' }), 'anydesk certain'],
  ['product and company', windows('x.exe', { product: 'TeamViewer', company: 'TeamViewer' }), 'teamviewer certain'],
  ['a company with another legal form', windows('x.exe', { product: 'AnyDesk', company: 'AnyDesk Software, Inc.' }), 'anydesk certain'],
  ['a signer as Apple writes it', { os: 'macos', name: 'x', signer: 'Developer ID Application: Some One (KHRWM533LU)' }, 'anydesk certain'],
  ['original name in a table of texts', windows('x.exe', { original_name: 'ANYDESK.EXE.MUI', product: 'AnyDesk' }), 'anydesk certain'],
  ['nothing known', windows('notepad.exe', { company: 'Microsoft Corporation', signer: 'Microsoft Windows' }), null],
])('a program matches its definition with the expected certainty: %s', (_what, seenProgram, expected) => {
  const match = matchProgram(seenProgram, set);
  expect(match && `${match.identifier} ${match.certainty}`).toBe(expected);
  if (match) expect(match.why.length).toBeGreaterThan(0);
});

test('a signer that is listed as the company only counts beside a product of that definition', () => {
  const acme = definitionWith('acme', {
    programs: { names: [{ os: 'windows', name: 'acme.exe' }], products: ['Acme Helper'], companies: ['Acme Software Ltd'] },
  });
  const oneDefinition = compileSet({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions: [acme] });
  const certaintyOf = (facts: Partial<ProgramSeen>) => matchProgram(windows('x.exe', facts), oneDefinition)?.certainty;
  expect(certaintyOf({ signer: 'Acme Software, Inc.', product: 'Acme Helper' })).toBe('certain');
  expect([certaintyOf({ signer: 'Acme Software, Inc.' }), certaintyOf({ signer: 'Other Ltd', product: 'Acme Helper' })]).toEqual([
    undefined,
    'likely',
  ]);
});

test('a harmless program renamed to AnyDesk.exe does not match as certain', () => {
  const renamed = windows('AnyDesk.exe', { company: 'Simon Tatham', original_name: 'PuTTY', signer: 'Simon Tatham' });
  expect(matchProgram(renamed, set)?.certainty).not.toBe('certain');
});

test('matching any input does not throw and ignores case', () => {
  const text = fc.option(fc.oneof(fc.string(), fc.constantFrom('AnyDesk.exe', 'TeamViewer GmbH', 'svchost.exe')), { nil: undefined });
  const programArbitrary = fc.record({
    os: fc.constantFrom('windows', 'macos', 'linux'),
    name: fc.oneof(fc.string(), fc.constantFrom('AnyDesk.exe', 'rustdesk')),
    company: text,
    original_name: text,
    signer: text,
  });
  fc.assert(
    fc.property(programArbitrary, (raw) => {
      const clean = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined)) as unknown as ProgramSeen;
      const lower = Object.fromEntries(
        Object.entries(clean).map(([key, value]) => [key, key === 'os' ? value : String(value).toLowerCase()]),
      ) as unknown as ProgramSeen;
      const ascii = Object.values(clean).every((value) => /^[\x20-\x7e]*$/.test(String(value)));
      const [a, b] = [matchProgram(clean, set), matchProgram(lower, set)];
      if (ascii) expect(a?.identifier).toBe(b?.identifier);
    }),
  );
});

test.each([
  ['download.anydesk.com', 'anydesk'],
  ['anydesk.com', undefined],
  ['relay-1.net.anydesk.com', 'anydesk'],
  ['Net.AnyDesk.COM.', 'anydesk'],
  ['notanydesk.com', undefined],
  ['anydesk.com.evil.test', undefined],
  ['com', undefined],
  ['', undefined],
])('matching the site %s finds its definition, if any', (domain, identifier) => {
  expect(matchSite(domain, set)?.identifier).toBe(identifier);
});

test('an allow-list entry applies until it ends, and a likely match is not blocked where the policy requires certainty', () => {
  const now = new Date('2026-11-21T12:00:00.000Z');
  const likely = matchProgram(windows('AnyDesk.exe'), set);
  if (!likely) throw new Error('AnyDesk is not known');
  const certain = { ...likely, certainty: 'certain' as const };
  const strict = {
    actions: { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' } as const,
    block_likely: true,
    allow: [],
  };
  const allow = (until: string | null) => ({
    ...strict,
    allow: [{ type: 'definition' as const, identifier: 'AnyDesk', until, reported_until: null }],
  });
  expect(actionFor(likely, strict, now)).toBe('block');
  expect(actionFor(likely, { ...strict, block_likely: false }, now)).toBe('alert');
  expect(actionFor(certain, { ...strict, block_likely: false }, now)).toBe('block');
  expect(actionFor(certain, allow(null), now)).toBe('ignore');
  expect(actionFor(certain, allow('2026-11-21T12:00:01.000Z'), now)).toBe('ignore');
  expect(actionFor(certain, allow('2026-11-21T12:00:00.000Z'), now)).toBe('block');
  expect(
    actionFor(certain, { ...strict, allow: [{ type: 'definition', identifier: 'teamviewer', until: null, reported_until: null }] }, now),
  ).toBe('block');
});
