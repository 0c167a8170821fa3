import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold, foldMaker, foldName } from './fold.ts';
import { foldersOf, foldPath } from './fold-path.ts';
import { nameVariants } from './name-variants.ts';

test.each([
  ['AnyDesk Software GmbH', 'anydesk software'],
  ['LogMeIn, Inc', 'logmein'],
  ['ENTER S.R.L.', 'enter'],
  ['Philips B.V.', 'philips'],
  ['IT Co., Ltd.', 'it co ltd'],
  ['GmbH', 'gmbh'],
  ['上海贝锐信息科技股份有限公司', '上海贝锐信息科技股份有限公司'],
])('foldMaker normalises the company name %s', (name, expected) => {
  expect(foldMaker(name)).toBe(expected);
});

test.each([
  ['Радмин', 'радмин'],
  ['Rаdmin', 'radmin'],
  ['Radmin®  Server™', 'radmin server'],
  ['\u202eexe.ksedynA', 'exe.ksedyna'],
  ['Any\uffa0Desk', 'anydesk'],
  ['İstanbul', fold('i̇stanbul')],
])('fold normalises the text %s', (text, expected) => {
  expect(fold(text)).toBe(expected);
});

test('fold keeps as many marks on a letter as a text in a stream may have, so that a name of marks alone takes no time', () => {
  const marks = (count: number) => '\u0323\u0301'.repeat(count / 2);
  expect(fold(`x${marks(100_000)}y`)).toBe(fold(`x${marks(30)}y`));
  expect(fold(`x${marks(28)}y`)).not.toBe(fold(`x${marks(30)}y`));
});

test.each([
  ['AnyDesk.exe.exe', 'anydesk'],
  ['TeamViewer.dmg', 'teamviewer'],
  ['.exe', '.exe'],
  ['anydesk.com', 'anydesk.com'],
])('foldName normalises the file name %s', (name, expected) => {
  expect(foldName(name)).toBe(expected);
});

test.each([
  ['TeamViewer_Setup_x64.exe', ['teamviewer_setup_x64', 'teamviewer_setup', 'teamviewer']],
  ['AnyDesk (1).exe', ['anydesk (1)', 'anydesk']],
  ['Copy of AnyDesk.exe', ['copy of anydesk', 'anydesk']],
  ['ScreenConnect.ClientSetup-abc.exe', ['screenconnect.clientsetup-abc', 'screenconnect.clientsetup']],
  ['anydesk2.exe', ['anydesk2']],
  ['gp3-4.exe', ['gp3-4']],
  ['not-a-viewer.exe', ['not-a-viewer']],
])('nameVariants returns the shorter forms of the file name %s', (name, expected) => {
  expect(nameVariants(name)).toEqual(expected);
});

test.each([
  ['C:\\Program Files (x86)\\AnyDesk\\', 'program files/anydesk'],
  ['%ProgramFiles%\\AnyDesk', 'program files/anydesk'],
  ['%APPDATA%\\AnyDesk', 'appdata/roaming/anydesk'],
  ['\\??\\C:\\Windows\\Action1', 'windows/action1'],
  ['/Users/mum/Library/Application Support/X', 'library/application support/x'],
  ['/', ''],
  ['C:\\', ''],
])('foldPath normalises the path %s', (path, expected) => {
  expect(foldPath(path)).toBe(expected);
});

test('fold applied twice equals fold applied once, for every letter alone and among Latin letters', () => {
  const changedCharacters: string[] = [];
  for (let code = 0; code <= 0x1ffff; code++) {
    const character = String.fromCodePoint(code);
    if (!/[\p{L}\p{M}\p{N}\p{S}]/u.test(character) || /\p{Script=Han}|\p{Script=Hangul}/u.test(character)) continue;
    for (const text of [character, `a${character}b`, `a${character}\u0301`]) {
      const foldedText = fold(text);
      if (fold(foldedText) !== foldedText) changedCharacters.push(text);
    }
  }
  expect(changedCharacters).toEqual([]);
  // Found by CI: a capital letter whose lower-case form has a different upper-case form.
  expect(fold('Stra\u1e9ee')).toBe(fold('strasse'));
});

test('fold terminates and is idempotent for any text', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('Ａ-1 (2)_x64.exe.exe', '((((1)(1)(1)', '- - - Copy copy copy'),
  );
  fc.assert(
    fc.property(text, (value) => {
      expect(fold(fold(value))).toBe(fold(value));
      expect(nameVariants(value).length).toBeLessThanOrEqual(11);
      expect(foldersOf(value).every((folder) => folder !== '')).toBe(true);
    }),
  );
  const longName = `${'a-1'.repeat(100_000)}.exe`;
  expect(nameVariants(longName).length).toBeLessThanOrEqual(11);
});
