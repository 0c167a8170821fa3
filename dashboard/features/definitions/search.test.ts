import type { PublicDefinition } from '@porchlight/contract/definitions.ts';
import { expect, test } from 'vitest';
import { searchFamilies } from './search.ts';

const definition = (name: string, ...aliases: string[]): PublicDefinition => ({
  identifier: name.toLowerCase().replaceAll(' ', '-'),
  name,
  aliases,
  category: 'RemoteControl',
  has_client: false,
  what_it_is: 'A program.',
  what_to_do: 'Hang up.',
});
const families = [
  definition('AnyDesk'),
  definition('Quick Assist'),
  definition('Remote Utilities', 'LiteManager Any'),
  definition('Splashtop', 'SOS'),
];
const findNames = (typedText: string) => searchFamilies(typedText, families).map(({ name }) => name);

test.each([
  ['', ['AnyDesk', 'Quick Assist', 'Remote Utilities', 'Splashtop']],
  ['  ', ['AnyDesk', 'Quick Assist', 'Remote Utilities', 'Splashtop']],
  ['any desk', ['AnyDesk']],
  ['QUICK-ASSIST', ['Quick Assist']],
  ['sos', ['Splashtop']],
  ['any', ['AnyDesk', 'Remote Utilities']],
  ['te', ['Remote Utilities']],
  ['s', ['Splashtop', 'AnyDesk', 'Quick Assist', 'Remote Utilities']],
  ['.*', ['AnyDesk', 'Quick Assist', 'Remote Utilities', 'Splashtop']],
  ['nothing like it', []],
])('searching for %j finds %j', (typedText, names) => {
  expect(findNames(typedText)).toEqual(names);
});
