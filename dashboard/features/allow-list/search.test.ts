import type { AllowListProgram } from '@porchlight/contract/allow-list.ts';
import { expect, test } from 'vitest';
import { isSameEntry, search } from './search.ts';

const programs: AllowListProgram[] = [
  { identifier: 'anydesk', category: 'RemoteControl', name: 'AnyDesk' },
  { identifier: 'awesun', category: 'RemoteControl', name: 'AweSun' },
  { identifier: 'driver-support', category: 'DeceptiveUtility', name: 'Driver Support' },
  { identifier: 'goto-resolve', category: 'RemoteControl', name: 'GoTo Resolve' },
];
const findNames = (typedText: string, listed: { type: string; identifier: string }[] = []) => {
  const { hits, suggestion } = search(typedText, programs, listed);
  return [...hits.map(({ name, allowed }) => (allowed ? `${name} allowed` : name)), ...(suggestion ? [`${suggestion}?`] : [])];
};

test.each([
  ['', []],
  ['   ', []],
  ['-', []],
  ['anydesk', ['AnyDesk']],
  ['Any Desk', ['AnyDesk']],
  ['DRIVER-SUPPORT', ['Driver Support']],
  ['goto resolve', ['GoTo Resolve']],
  ['es', ['AnyDesk', 'AweSun', 'GoTo Resolve']],
  ['d', ['Driver Support', 'AnyDesk']],
  ['anydesk.com', ['anydesk.com']],
  ['https://www.Example.com/path', ['example.com']],
  ['https://www.Bücher.example/x', ['bücher.example']],
  ['knitting', ['knitting.com?']],
  ['no such program', []],
])('[5.25] searching for %j finds %j', (typedText, expected) => {
  expect(findNames(typedText)).toEqual(expected);
});

test('[5.26] [5.27] the search marks allow-list entries in upper or lower case, and distinguishes a website from a program of the same name', () => {
  const listed = [
    { type: 'Definition', identifier: 'ANYDESK' },
    { type: 'DOMAIN', identifier: 'Example.COM' },
    { type: 'domain', identifier: 'awesun' },
  ];
  expect(findNames('anydesk', listed)).toEqual(['AnyDesk allowed']);
  expect(findNames('http://EXAMPLE.com', listed)).toEqual(['example.com allowed']);
  expect(findNames('awesun', listed)).toEqual(['AweSun']);
  expect(findNames('example.org', listed)).toEqual(['example.org']);
  expect(isSameEntry({ type: 'domain', identifier: 'a.example' }, { type: 'definition', identifier: 'a.example' })).toBe(false);
});
