import { describe, expect, test } from 'vitest';
import { type Institution, institutionProblems, parseInstitutions, readInstitutions } from './institutions.ts';

const file = readInstitutions();
const source = { name: 'A list', home: 'https://example.org/', licence: 'CC0-1.0' };
const bank: Institution = { name: 'A bank', kind: 'bank', countries: ['US'], domains: ['a-bank.example'], sources: ['list'] };
const problemsOf = (...institutions: Partial<Institution>[]) =>
  institutionProblems({ sources: { list: source }, institutions: institutions.map((fields) => ({ ...bank, ...fields })) });

test('the shipped institutions have no problems', () => {
  expect(institutionProblems(file)).toEqual([]);
});

describe('the shipped institutions', () => {
  const count = (fits: (institution: Institution) => boolean) => file.institutions.filter(fits).length;

  test.each([
    ['bank', 400],
    ['exchange', 60],
    ['wire', 30],
    ['gift_card', 30],
    ['crypto_machine', 20],
    ['payment_app', 20],
    ['broker', 60],
    ['gold', 15],
  ])('are of the kind %s at least %i times', (kind, least) => {
    expect(count((institution) => institution.kind === kind)).toBeGreaterThanOrEqual(least);
  });

  test.each([
    ['US', 250],
    ['CA', 30],
    ['GB', 50],
    ['IE', 5],
    ['AU', 30],
    ['NZ', 10],
    ['DE', 40],
    ['AT', 8],
    ['CH', 15],
    ['FR', 15],
    ['ES', 12],
    ['IT', 12],
    ['NL', 8],
    ['SE', 8],
    ['NO', 5],
    ['DK', 5],
    ['FI', 5],
    ['IN', 15],
  ])('serve the country %s at least %i times', (country, least) => {
    expect(count(({ countries }) => countries.includes(country))).toBeGreaterThanOrEqual(least);
  });
});

describe('the check of institutions', () => {
  test('accepts a second institution with a host of its own', () => {
    expect(problemsOf({}, { name: 'B bank', domains: ['b-bank.co.uk', 'login.b-bank.example'] })).toEqual([]);
  });

  test.each([
    [{ domains: ['A-Bank.example'] }, 'A bank: A-Bank.example: its canonical form is a-bank.example'],
    [{ domains: ['a-bank.example.'] }, 'A bank: a-bank.example.: its canonical form is a-bank.example'],
    [{ domains: ['bänk.example'] }, 'A bank: bänk.example: its canonical form is xn--bnk-qla.example'],
    [{ domains: ['https://a-bank.example/login'] }, 'A bank: https://a-bank.example/login: its canonical form is a-bank.example'],
    [{ domains: ['a bank'] }, 'A bank: a bank: no browser takes this for an address'],
    [{ domains: ['192.0.2.1'] }, 'A bank: 192.0.2.1: it is an address, not a name'],
    [{ domains: ['www.a-bank.example'] }, 'A bank: www.a-bank.example: www. is left out, since subdomains are included'],
    [{ domains: ['github.io'] }, 'A bank: github.io: names below it belong to different owners'],
    [{ domains: ['azurewebsites.net'] }, 'A bank: azurewebsites.net: names below it belong to different owners'],
    [{ domains: ['co.uk'] }, 'A bank: co.uk: names below it belong to different owners'],
    [{ domains: ['com'] }, 'A bank: com: names below it belong to different owners'],
    [{ domains: ['a-bank.example', 'a-bank.example'] }, 'A bank: a-bank.example: is listed twice'],
    [{ domains: ['a-bank.example', 'secure.a-bank.example'] }, 'A bank: secure.a-bank.example: a-bank.example of A bank includes it'],
    [{ countries: ['US', 'UK', 'XX'] }, 'A bank: there is no country XX'],
    [{ sources: ['list', 'hearsay'] }, 'A bank: there is no source hearsay'],
  ])('names the problem of %j', (fields, problem) => {
    expect(problemsOf(fields)).toContain(problem);
  });

  test('names a host that two institutions share, an unused source and a wrong order', () => {
    expect(problemsOf({}, { name: 'B bank' })).toEqual(['B bank: a-bank.example: is listed twice']);
    expect(problemsOf({ name: 'B bank' }, { domains: ['other.example'] })).toEqual(['A bank: must come before B bank (kind, then name)']);
    expect(problemsOf({ kind: 'gold' }, { name: 'B bank', domains: ['other.example'] })).toEqual([
      'B bank: must come before A bank (kind, then name)',
    ]);
    expect(institutionProblems({ sources: { list: source, spare: source }, institutions: [bank] })).toEqual([
      'source spare: no institution uses it',
    ]);
  });
});

test.each([
  [{ ...bank, kind: 'casino' }, /institutions/],
  [{ ...bank, domains: [] }, /domains/],
  [{ ...bank, sources: [] }, /sources/],
  [{ ...bank, countries: ['us'] }, /countries/],
  [{ ...bank, website: 'a-bank.example' }, /website/],
])('a malformed institution is refused with its field: %j', (malformed, field) => {
  expect(() => parseInstitutions({ sources: { list: source }, institutions: [malformed] })).toThrow(field);
});
