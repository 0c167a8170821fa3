import { expect, test } from 'vitest';
import { codeFromInstallerName } from './installer-name.ts';

test.each([
  'Porchlight [ABCD-EFGH].exe',
  'Porchlight [ABCD-EFGH].pkg',
  'Porchlight [ABCD-EFGH] (1).exe',
  'Porchlight [ABCD-EFGH](12).exe',
  'Porchlight [ABCD-EFGH] - Copy.exe',
  'porchlight [abcd-efgh].exe',
  'PORCHLIGHT [Abcd-Efgh].EXE',
  'Porchlight [ABCDEFGH].exe',
  'Porchlight [ABCD EFGH].exe',
  'Porchlight [ ABCD-EFGH ].exe',
  'Porchlight_[ABCD_EFGH].exe',
  'Porchlight [ABCD–EFGH].exe',
  'Porchlight+[ABCD+EFGH].exe',
  'Porchlight%20%5BABCD-EFGH%5D.exe',
  'Porchlight%20%5babcd-efgh%5d%20(1).exe',
  'Porchlight%2520%255BABCD-EFGH%255D.exe',
  '100% Porchlight [ABCD-EFGH].exe',
  '[1] Porchlight [ABCD-EFGH].exe',
  'Porchlight [ABCD-EFGH] [1].exe',
  'Porchlight [ABCD-EFGH] [ABCD-EFGH].exe',
  'Porchlight [[ABCD-EFGH]].exe',
  'Porchlight [ABCD-EFGH]',
  'C:\\Users\\Ann [new]\\Downloads\\Porchlight [ABCD-EFGH].exe',
  '/home/ann/Downloads/Porchlight [ABCD-EFGH].pkg',
  '/home/[BCDE-FGHJ]/Porchlight [ABCD-EFGH].pkg',
])('[P3.4] the code is found in %s', (name) => {
  expect(codeFromInstallerName(name)).toBe('ABCD-EFGH');
});

test.each([
  '',
  'Porchlight.exe',
  'Porchlight (1).exe',
  'Porchlight ABCD-EFGH.exe',
  'Porchlight (ABCD-EFGH).exe',
  'Porchlight [].exe',
  'Porchlight [ABCD-EFG].exe',
  'Porchlight [ABCD-EFGHJ].exe',
  // 0, O, 1, I and L are no letters of a code.
  'Porchlight [ABCD-EFG0].exe',
  'Porchlight [ABCD-EFGI].exe',
  'Porchlight [ABCD-EFGH.exe',
  'Porchlight ABCD-EFGH].exe',
  'Porchlight [ABCD-EFGH] [BCDE-FGHJ].exe',
  'Porchlight %5BABCD-EFGH.exe',
  'Porchlight %5 [ABCD].exe',
  '[ABCD-EFGH]/Porchlight.exe',
])('[P3.4] there is none in %s', (name) => {
  expect(codeFromInstallerName(name)).toBeNull();
});
