import type { Family } from '@porchlight/contract/definitions.ts';
import { expect, test } from 'vitest';
import { searchFamilies } from './search.ts';

const family = (name: string, ...aliases: string[]): Family => ({
  identifier: name.toLowerCase().replaceAll(' ', '-'),
  name,
  aliases,
  category: 'RemoteControl',
  what_it_is: 'A program.',
  what_to_do: 'Hang up.',
});
const families = [family('AnyDesk'), family('Quick Assist'), family('Remote Utilities', 'LiteManager Any'), family('Splashtop', 'SOS')];
const found = (typed: string) => searchFamilies(typed, families).map(({ name }) => name);

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
])('%j finds %j', (typed, names) => {
  expect(found(typed)).toEqual(names);
});
