import { expect, test } from 'vitest';
import { quotedName, withCapitals } from './quoted-name.ts';

test.each([
  ['Den PC', 'Den PC'],
  ['  Den\n\tPC ', 'Den PC'],
  ['Den PC\n\nUPDATE: all is well', 'Den PC UPDATE: all is well'],
  ['\u202eDen\u2066 PC\u200e', 'Den PC'],
  ['Den\u0000\u0007 PC\u00ad', 'Den PC'],
  ['علی\u200cرضا', 'علی\u200cرضا'],
  ['👩‍👧 PC', '👩‍👧 PC'],
  ['A computer with a name that goes on', 'A computer with a name that g…'],
  ['👨‍👩‍👧‍👦'.repeat(31), `${'👨‍👩‍👧‍👦'.repeat(29)}…`],
  ['PC 2024 no 12', 'PC 2024 no 12'],
  ['Kitchen / Ann', 'Kitchen / Ann'],
  ['Dad’s Microsoft Surface', 'Dad’s Microsoft Surface'],
  ['Supporters club', 'Supporters club'],
  ['', 'a computer'],
  ['\u200b\u3164\u2800', 'a computer'],
  ['Call 1-800-555-0199', 'a computer'],
  ['Ring １８００５５５０１９９', 'a computer'],
  ['PC - go to https://porch-light.help', 'a computer'],
  ['PC porch-light.help/now', 'a computer'],
  ['help@porch.example', 'a computer'],
  ['Porchlight recommended: strict', 'a computer'],
  ['Ｐｏｒｃｈｌｉｇｈｔ', 'a computer'],
  ['Police desk', 'a computer'],
])('[P18.1] a message quotes the computer %j as %j', (name, quoted) => {
  expect(quotedName(name, 'device')).toBe(quoted);
});

test.each([
  ['Porchlight Safety Team', 'holder', 'the account’s owner'],
  ['Microsoft Support', 'guardian', 'a guardian'],
  ['Your Bank', 'person', ''],
  ['Police Officer', 'holder', 'the account’s owner'],
  ['Ann Banks', 'holder', 'Ann Banks'],
  ['Amazonia Smith', 'guardian', 'Amazonia Smith'],
  ['Porchlight 7.1', 'program', 'Porchlight 7.1'],
  ['Microsoft Support Tool', 'program', 'Microsoft Support Tool'],
  ['setup-4.exe', 'program', 'setup-4.exe'],
  ['porch-light.help.exe', 'program', 'a program'],
  ['porch-light.app', 'program', 'a program'],
  ['call 1-800-555-0199', 'program', 'a program'],
  ['Porchlight: strict', 'profile', 'a profile'],
] as const)('[P18.1] %j as the name of a %s is quoted as %j', (name, named, quoted) => {
  expect(quotedName(name, named)).toBe(quoted);
});

test('what stands for a name begins a sentence with a capital letter, and not the middle of one', () => {
  expect(withCapitals('the account’s owner asks. a computer is silent: a guardian knows the account’s owner.')).toBe(
    'The account’s owner asks. A computer is silent: A guardian knows the account’s owner.',
  );
  expect(withCapitals('It is a computerized a computer')).toBe('It is a computerized a computer');
});
