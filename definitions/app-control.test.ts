import { describe, expect, it, test } from 'vitest';
import { type AppControlState, appControlPolicy, appControlPolicyId, appControlRules } from './app-control.ts';
import { readCatalogue } from './catalogue.ts';
import type { Definition, ProgramSeen } from './format.ts';
import { compileSet } from './match.ts';
import { definitionWith } from './testing/definition-with.ts';
import { benignProductsSeen, benignPrograms, sharedDataIsThere } from './testing/shared-data.ts';

const enforced: AppControlState = { mode: 'enforced', version: 7 };
const compiled = (definitions: Definition[]) => compileSet({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions });
const valuesOf = (denied: Definition[], others: Definition[] = []) =>
  appControlRules(compiled([...denied, ...others]), denied).map(({ attribute, value }) => `${attribute}=${value}`);

const acme = (changes: Parameters<typeof definitionWith>[1] = {}) =>
  definitionWith('acme', {
    ...changes,
    programs: { original_names: ['AcmeControl.exe'], products: ['Acme Control'], signers: ['Acme GmbH'], ...changes?.programs },
  });
const withOriginal = (name: string) => acme({ programs: { original_names: [name], products: [] } });
const withProduct = (product: string) => acme({ programs: { original_names: [], products: [product] } });

interface Element {
  name: string;
  attributes: Map<string, string>;
  text: string;
  children: Element[];
}

const entityPattern = /&(amp|lt|gt|quot);/g;
const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
function unescape(text: string): string {
  if (/[<&]/.test(text.replace(entityPattern, ''))) throw new Error(`Not escaped: ${text}`);
  return text.replace(entityPattern, (_whole, name: string) => characters[name] ?? '');
}

/** Reads the part of XML that a policy uses, and throws where it is not well formed. */
function readXml(xml: string): Element {
  const [declaration = ''] = /^<\?xml version="1\.0" encoding="utf-8"\?>\n/.exec(xml) ?? [];
  if (!declaration) throw new Error('There is no declaration.');
  const root: Element = { name: '', attributes: new Map(), text: '', children: [] };
  const open = [root];
  const tag = /<(\/?)(\w+)((?: \w+="[^"]*")*) ?(\/?)>|([^<]+)|(.)/gs;
  for (const [, closing, name = '', attributes = '', empty, text, other] of xml.slice(declaration.length).matchAll(tag)) {
    const parent = open.at(-1) ?? root;
    if (other !== undefined) throw new Error(`Unexpected ${other}`);
    if (text !== undefined) parent.text += unescape(text);
    else if (closing) {
      if (open.pop()?.name !== name) throw new Error(`${name} ends in ${parent.name}`);
    } else {
      const pairs = [...attributes.matchAll(/ (\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, unescape(value)] as const);
      const element: Element = { name, attributes: new Map(pairs), text: '', children: [] };
      if (element.attributes.size !== pairs.length) throw new Error(`${name} has an attribute twice`);
      parent.children.push(element);
      if (!empty) open.push(element);
    }
  }
  const [only, second] = root.children;
  if (open.length !== 1 || !only || second || root.text.trim()) throw new Error('There is not one root.');
  return only;
}

const find = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...find(child, name)]);
const optionsIn = (xml: string) => find(readXml(xml), 'Option').map(({ text }) => text);

/** As Windows decides: a rule of a policy sees one value of a file, and compares it whole, without case. */
function denier(xml: string): (program: Pick<ProgramSeen, 'original_name' | 'product'>) => boolean {
  const denials = find(readXml(xml), 'Deny');
  const values = (attribute: string) => new Set(denials.flatMap(({ attributes }) => attributes.get(attribute)?.toLowerCase() ?? []));
  const [names, products] = [values('FileName'), values('ProductName')];
  return ({ original_name = '', product = '' }) => names.has(original_name.toLowerCase()) || products.has(product.toLowerCase());
}

describe('the rules of an App Control policy', () => {
  it.each<[string, Definition[], Definition[], string[]]>([
    ['an original name and a product of one definition', [acme()], [], ['FileName=AcmeControl.exe', 'ProductName=Acme Control']],
    ['nothing of a part of the system', [acme({ part_of_system: true })], [], []],
    ['nothing of a scam site', [acme({ category: 'ScamWebsite', domains: ['acme.example'] })], [], []],
    ['nothing of a program of Microsoft', [acme({ programs: { companies: ['Microsoft Corporation'] } })], [], []],
    [
      'all of a company with a similar name',
      [acme({ programs: { companies: ['Microsofter GmbH'] } })],
      [],
      ['FileName=AcmeControl.exe', 'ProductName=Acme Control'],
    ],
    [
      'nothing that another definition has too',
      [acme()],
      [definitionWith('other', { programs: { original_names: ['acmecontrol.EXE'], products: ['ACME control'] } })],
      [],
    ],
    [
      'no original name that is another definition’s file name',
      [acme()],
      [definitionWith('other', { programs: { names: [{ os: 'windows', name: 'AcmeControl.exe' }] } })],
      ['ProductName=Acme Control'],
    ],
    ['no original name that harmless programs use', [withOriginal('helper.exe')], [], []],
    ['an original name with such a word in it', [withOriginal('acmehelper.exe')], [], ['FileName=acmehelper.exe']],
    ['no name of a browser', [withOriginal('chrome.exe')], [], []],
    ['no name of a program of the system', [withOriginal('SVCHOST.EXE')], [], []],
    ['no name of Porchlight’s own program', [withOriginal('porchlight-agent.exe')], [], []],
    ['no name of the runtime that it is made of', [withOriginal('node.exe')], [], []],
    ['a name that only begins like it', [withOriginal('nodeadmin.exe')], [], ['FileName=nodeadmin.exe']],
    ['no original name of three letters', [withOriginal('abc.exe')], [], []],
    ['an original name of four letters', [withOriginal('abcd.exe')], [], ['FileName=abcd.exe']],
    [
      'no product of a vendor that also signs harmless programs',
      [acme({ programs: { signers: [], broad_signers: ['Acme GmbH'] } })],
      [],
      ['FileName=AcmeControl.exe'],
    ],
    ['no product of four letters', [withProduct('Acme')], [], []],
    ['a product of five letters', [withProduct('Acmee')], [], ['ProductName=Acmee']],
    ['no product that many vendors use', [withProduct('Remote Desktop')], [], []],
    ['a product with such words in it', [withProduct('Acme Remote Desktop')], [], ['ProductName=Acme Remote Desktop']],
    ['no product that claims to be of Windows', [withProduct('Windows Defender Essentials')], [], []],
    ['a product with these letters in a word', [withProduct('Windowsill Control')], [], ['ProductName=Windowsill Control']],
    ['no product of ours', [withProduct('Porchlight Agent')], [], []],
    ['no browser', [withProduct('Firefox')], [], []],
    ['nothing of a sibling', [acme({ not: { products: ['acme control'], original_names: ['AcmeControl.exe'] } })], [], []],
    [
      'one rule for two spellings',
      [acme({ programs: { original_names: ['AcmeControl.exe', 'ACMECONTROL.EXE'], products: [] } })],
      [],
      ['FileName=ACMECONTROL.EXE'],
    ],
    ['nothing that XML cannot say', [acme({ programs: { original_names: ['Acme\u0001.exe'], products: ['Acme\u0000Control'] } })], [], []],
  ])('have %s', (_what, denied, others, expected) => {
    expect(valuesOf(denied, others)).toEqual(expected);
  });

  it('leave out a definition that is not denied, although it is in the set', () => {
    const other = definitionWith('other', { programs: { original_names: ['OtherControl.exe'] } });
    expect(valuesOf([acme()], [other])).toEqual(['FileName=AcmeControl.exe', 'ProductName=Acme Control']);
  });
});

describe('the text of an App Control policy', () => {
  const textOf = (denied: Definition[], state = enforced) => appControlPolicy(compiled(denied), denied, state);

  it('is well formed with every character in a value, and the values are read back as they were', () => {
    const product = `Tom & Jerry's <"Remote"> Контроль`;
    const [denial] = find(readXml(textOf([withProduct(product)])), 'Deny');
    expect(denial?.attributes.get('ProductName')).toBe(product);
    expect(() => readXml(textOf([withProduct(product)]).replace('&amp;', '&'))).toThrow('Not escaped');
  });

  it('is the same for the same definitions in another order, and has no time in it', () => {
    const other = definitionWith('other', { programs: { original_names: ['OtherControl.exe'] } });
    expect(textOf([acme(), other])).toBe(textOf([other, acme()]));
    expect(textOf([acme(), other])).not.toBe(textOf([acme()]));
  });

  it('allows everything else to drivers and programs, and denies only to programs', () => {
    const root = readXml(textOf([acme()]));
    const allowed = find(root, 'Allow').map(({ attributes }) => [attributes.get('ID'), attributes.get('FileName')]);
    expect(allowed).toEqual([
      ['ID_ALLOW_A_1', '*'],
      ['ID_ALLOW_A_2', '*'],
    ]);
    const scenarios = find(root, 'SigningScenario').map((scenario) => [
      scenario.attributes.get('Value'),
      find(scenario, 'FileRuleRef').map(({ attributes }) => attributes.get('RuleID')),
    ]);
    expect(scenarios).toEqual([
      ['131', ['ID_ALLOW_A_1']],
      ['12', ['ID_ALLOW_A_2', 'ID_DENY_P_1', 'ID_DENY_P_2']],
    ]);
  });

  it('is about every version of a file', () => {
    for (const { attributes } of find(readXml(textOf([acme()])), 'Deny')) {
      expect(attributes.get('MinimumFileVersion')).toBe('0.0.0.0');
      expect(attributes.get('MaximumFileVersion')).toBe('65535.65535.65535.65535');
    }
  });

  it('has the same GUID always, and a version that grows past 65,535', () => {
    const versionOf = (version: number) => find(readXml(textOf([], { mode: 'audit', version })), 'VersionEx')[0]?.text;
    expect([0, 1, 65_535, 65_536, 4_294_967_295].map(versionOf)).toEqual([
      '10.0.0.0',
      '10.0.0.1',
      '10.0.0.65535',
      '10.0.1.0',
      '10.0.65535.65535',
    ]);
    for (const name of ['PolicyID', 'BasePolicyID']) expect(find(readXml(textOf([acme()])), name)[0]?.text).toBe(appControlPolicyId);
  });

  it.each([
    ['enforced', false],
    ['audit', true],
  ] as const)('in the mode %s only records: %s', (mode, onlyRecords) => {
    const options = optionsIn(textOf([acme()], { mode, version: 1 }));
    expect(options.includes('Enabled:Audit Mode')).toBe(onlyRecords);
    for (const option of [
      'Enabled:Unsigned System Integrity Policy',
      'Enabled:UMCI',
      'Enabled:Update Policy No Reboot',
      'Disabled:Script Enforcement',
    ])
      expect(options).toContain(option);
  });

  it('denies nothing when no definition is denied, and the same when it only records', () => {
    expect(find(readXml(textOf([])), 'Deny')).toEqual([]);
    expect(find(readXml(textOf([acme()], { mode: 'audit', version: 1 })), 'Deny')).toHaveLength(2);
  });

  it.each([
    ['two roots', '<a></a><b></b>'],
    ['an element that does not end', '<a><b></a>'],
    ['an attribute twice', '<a x="1" x="2" />'],
    ['a bare angle bracket', '<a>1 < 2</a>'],
  ])('would not be read with %s', (_what, body) => {
    expect(() => readXml(`<?xml version="1.0" encoding="utf-8"?>\n${body}`)).toThrow();
  });
});

describe('the App Control policy of the whole catalogue', () => {
  const catalogue = readCatalogue();
  const policy = appControlPolicy(compiled(catalogue), catalogue, enforced);
  const denies = denier(policy);

  it('denies renamed AnyDesk, TeamViewer, ScreenConnect, UltraViewer and RustDesk by what their files say', () => {
    const originals = ['AnyDesk.exe', 'TeamViewer.exe', 'ScreenConnect.WindowsClient.exe', 'UltraViewer_Desktop.exe', 'rustdesk.exe'];
    for (const original_name of originals) expect(denies({ original_name }), original_name).toBe(true);
    for (const product of ['AnyDesk', 'UltraViewer']) expect(denies({ product }), product).toBe(true);
  });

  it('denies nothing of Windows, of Microsoft, of browsers and of Porchlight', () => {
    const originals = [
      'mstsc.exe',
      'quickassist.exe',
      'msra.exe',
      'RemoteHelp.exe',
      'explorer.exe',
      'svchost.exe',
      'chrome.exe',
      'msedge.exe',
    ];
    for (const original_name of [...originals, 'firefox.exe', 'node.exe', 'porchlight-agent.exe'])
      expect(denies({ original_name }), original_name).toBe(false);
    const products = [
      'Microsoft® Windows® Operating System',
      'Microsoft Remote Help',
      'Quick Assist',
      'Google Chrome',
      'Firefox',
      'Porchlight',
      'Node.js',
    ];
    for (const product of products) expect(denies({ product }), product).toBe(false);
  });

  it('has hundreds of rules of both kinds, and stays far from the tens of thousands that slow Windows down', () => {
    const rules = appControlRules(compiled(catalogue), catalogue);
    const files = rules.filter(({ attribute }) => attribute === 'FileName').length;
    expect(files).toBeGreaterThanOrEqual(300);
    expect(rules.length - files).toBeGreaterThanOrEqual(260);
    expect(rules.length).toBeLessThan(5000);
    expect(new Set(rules.map(({ identifier }) => identifier)).size).toBeGreaterThanOrEqual(140);
    expect(find(readXml(policy), 'Deny')).toHaveLength(rules.length);
  });

  test.skipIf(!sharedDataIsThere)('denies no well-known harmless program (skipped when the list of programs is missing)', () => {
    const programs = benignPrograms();
    expect(programs.length).toBeGreaterThan(9000);
    expect(programs.filter(denies)).toEqual([]);
    // The same name as an original name, since few rows of the list say one.
    expect(programs.filter(({ name }) => denies({ original_name: name }))).toEqual([]);
  });

  test.skipIf(!sharedDataIsThere)('denies no ordinary product (skipped when the list of products is missing)', () => {
    const products = benignProductsSeen();
    expect(products.length).toBeGreaterThan(14_000);
    expect(products.filter(denies)).toEqual([]);
  });
});
