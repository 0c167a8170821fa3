import type { Allowable } from '@porchlight/contract/exceptions.ts';
import { expect, test } from 'vitest';
import { same, search } from './search.ts';

const programs: Allowable[] = [
  { identifier: 'anydesk', category: 'RemoteControl', name: 'AnyDesk' },
  { identifier: 'awesun', category: 'RemoteControl', name: 'AweSun' },
  { identifier: 'driver-support', category: 'DeceptiveUtility', name: 'Driver Support' },
  { identifier: 'goto-resolve', category: 'RemoteControl', name: 'GoTo Resolve' },
];
const found = (typed: string, listed: { type: string; identifier: string }[] = []) => {
  const { hits, suggestion } = search(typed, programs, listed);
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
])('[5.25] %j finds %j', (typed, expected) => {
  expect(found(typed)).toEqual(expected);
});

test('[5.26] [5.27] the search marks what is on the allow list, in upper or lower case, and tells a website from a program of the same name', () => {
  const listed = [
    { type: 'Definition', identifier: 'ANYDESK' },
    { type: 'DOMAIN', identifier: 'Example.COM' },
    { type: 'domain', identifier: 'awesun' },
  ];
  expect(found('anydesk', listed)).toEqual(['AnyDesk allowed']);
  expect(found('http://EXAMPLE.com', listed)).toEqual(['example.com allowed']);
  expect(found('awesun', listed)).toEqual(['AweSun']);
  expect(found('example.org', listed)).toEqual(['example.org']);
  expect(same({ type: 'domain', identifier: 'a.example' }, { type: 'definition', identifier: 'a.example' })).toBe(false);
});
