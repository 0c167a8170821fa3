import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readCatalogue } from '../catalogue.ts';
import type { Definition } from '../format.ts';
import { shippedNeverBlock as neverBlock } from '../shipped.ts';
import { patternProblem } from './patterns.ts';
import { isSharedHost, publicSuffix, registrableDomain, whyNeverBlocked } from './public-suffix.ts';
import { compileSites, exceptionFor, findListed, findSite, siteVerdict } from './rules.ts';
import { buildSiteList, readSiteList } from './site-list.ts';

const catalogue = readCatalogue();
const [firstDefinition] = catalogue;
if (!firstDefinition) throw new Error('the catalogue is empty');
const definitionWith = (identifier: string, domains: string[], site_patterns: string[] = []): Definition => ({
  ...firstDefinition,
  identifier,
  domains,
  site_patterns,
});

const rules = compileSites(
  [
    definitionWith('listed', [
      'evil.example.net',
      'sub.parent.example.net',
      'scam-shop.myshopify.com',
      'bad.github.io',
      'parent.example.org',
    ]),
    definitionWith('greedy', [
      'github.io',
      'co.uk',
      'com',
      'google.com',
      'myshopify.com',
      'ck',
      'us-west-2.amazonaws.com',
      'www.blogspot.com',
    ]),
    definitionWith('alike', [], ['**.anydesk-support*.com', 'one-level-*.example.org', '**.*-wallet-verify.pages.dev', '**.pages*.dev']),
  ],
  neverBlock,
);
const list = readSiteList(buildSiteList(['list-only.example.net', 'pages.dev', 'mean.pages.dev', 'facebook.com', 'a.shop.example.org']));
const verdictOf = (site: string, exceptions: string[] = []) => {
  const verdict = siteVerdict(site, { rules, list, exceptions: new Set(exceptions) });
  if (verdict.verdict === 'excepted') return `excepted by ${verdict.by}`;
  return verdict.verdict === 'known' ? `${verdict.definition?.identifier ?? 'the list'}: ${verdict.why}` : 'unknown';
};

test.each([
  ['evil.example.net', 'listed: domain=evil.example.net'],
  ['www.evil.example.net', 'listed: domain=evil.example.net'],
  ['https://user:pw@WWW.Evil.Example.NET.:8443/path?q#f', 'listed: domain=evil.example.net'],
  ['notevil.example.net', 'unknown'],
  ['example.net', 'unknown'],
  ['list-only.example.net', 'the list: site_list=list-only.example.net'],
  ['deep.below.list-only.example.net', 'the list: site_list=list-only.example.net'],
  ['anydesk-support.com', 'alike: site_pattern=**.anydesk-support*.com'],
  ['www.anydesk-support24.com', 'alike: site_pattern=**.anydesk-support*.com'],
  ['anydesk-support.com.example.org', 'unknown'],
  ['my-anydesk-support.com', 'unknown'],
  ['anydesk-support.co', 'unknown'],
  ['anydesk-support.x.com', 'unknown'],
  ['one-level-7.example.org', 'alike: site_pattern=one-level-*.example.org'],
  ['x.one-level-7.example.org', 'unknown'],
  ['my-wallet-verify.pages.dev', 'alike: site_pattern=**.*-wallet-verify.pages.dev'],
  ['127.0.0.1', 'unknown'],
  ['[::1]', 'unknown'],
  ['not a host', 'unknown'],
  ['', 'unknown'],
])('the verdict on the site %j is %s', (site, expected) => {
  expect(verdictOf(site)).toBe(expected);
});

describe('a shared host is never blocked whole, but one of its subdomains may be', () => {
  test.each([
    'github.io',
    'co.uk',
    'com',
    'myshopify.com',
    'pages.dev',
    'google.com',
    'facebook.com',
    'anything.ck',
    'us-west-2.amazonaws.com',
    'blogspot.com',
    'www.blogspot.com',
  ])('the shared host %s is never blocked whole', (host) => {
    expect(verdictOf(host)).toBe('unknown');
    expect(verdictOf(`somebody.${host}`)).toBe('unknown');
  });
  test.each(['bad.github.io', 'x.bad.github.io', 'scam-shop.myshopify.com', 'mean.pages.dev'])(
    'the subdomain %s of a shared host is blocked',
    (host) => {
      expect(verdictOf(host)).not.toBe('unknown');
    },
  );
});

describe('the user’s own exception outranks every rule, for its host and subdomains only', () => {
  test.each([
    ['evil.example.net', ['evil.example.net'], 'excepted by evil.example.net'],
    ['www.evil.example.net', ['evil.example.net'], 'excepted by evil.example.net'],
    ['www.evil.example.net', ['example.net'], 'excepted by example.net'],
    ['evil.example.net', ['www.evil.example.net'], 'listed: domain=evil.example.net'],
    ['child.parent.example.org', ['child.parent.example.org'], 'excepted by child.parent.example.org'],
    ['x.child.parent.example.org', ['child.parent.example.org'], 'excepted by child.parent.example.org'],
    ['other.parent.example.org', ['child.parent.example.org'], 'listed: domain=parent.example.org'],
    ['parent.example.org', ['child.parent.example.org'], 'listed: domain=parent.example.org'],
    ['list-only.example.net', ['list-only.example.net'], 'excepted by list-only.example.net'],
    ['anydesk-support.com', ['anydesk-support.com'], 'excepted by anydesk-support.com'],
    ['scam-shop.myshopify.com', ['scam-shop.myshopify.com'], 'excepted by scam-shop.myshopify.com'],
    ['admin.scam-shop.myshopify.com', ['scam-shop.myshopify.com'], 'excepted by scam-shop.myshopify.com'],
    ['scam-shop.myshopify.com', ['other-shop.myshopify.com'], 'listed: domain=scam-shop.myshopify.com'],
    ['scam-shop.myshopify.com', ['myshopify.com'], 'listed: domain=scam-shop.myshopify.com'],
    ['myshopify.com', ['myshopify.com'], 'excepted by myshopify.com'],
    ['bad.github.io', ['github.io', 'io'], 'listed: domain=bad.github.io'],
    ['evil.example.net', ['net', 'com', ''], 'listed: domain=evil.example.net'],
    ['notevil.example.net', ['evil.example.net'], 'unknown'],
  ])('the verdict on %s, with an exception for %j, is %s', (site, exceptions, expected) => {
    expect(verdictOf(site, exceptions)).toBe(expected);
  });
});

test('an exception for one shop on a shared host covers no other shop', () => {
  for (const host of ['myshopify.com', 'github.io', 'pages.dev', 'blogspot.com', 'co.uk', 'weebly.com', 'web.app', 'mooo.com']) {
    expect(exceptionFor(`shop.${host}`, new Set([`shop.${host}`])), host).toBe(`shop.${host}`);
    expect(exceptionFor(`other.${host}`, new Set([`shop.${host}`])), host).toBeNull();
    expect(exceptionFor(`other.${host}`, new Set([host])), host).toBeNull();
    expect(exceptionFor(host, new Set([`shop.${host}`])), host).toBeNull();
  }
});

test('of several listed parent domains, the shortest that may be blocked whole decides the verdict', () => {
  const shared = readSiteList(buildSiteList(['github.io', 'bad.github.io', 'worse.bad.github.io']));
  expect(findListed('worse.bad.github.io', shared, neverBlock)).toBe('bad.github.io');
  expect(findListed('good.github.io', shared, neverBlock)).toBeNull();
});

test('the registrable domain follows the Public Suffix List with its private part', () => {
  expect(publicSuffix('www.shop.example.co.uk')).toBe('co.uk');
  expect(registrableDomain('www.shop.example.co.uk')).toBe('example.co.uk');
  expect(registrableDomain('a.someone.github.io')).toBe('someone.github.io');
  expect(registrableDomain('github.io')).toBeNull();
  expect(registrableDomain('www.ck')).toBe('www.ck');
  expect(isSharedHost('www.ck')).toBe(false);
  expect(isSharedHost('example.com')).toBe(false);
  expect([
    whyNeverBlocked('github.io', neverBlock),
    whyNeverBlocked('google.com', neverBlock),
    whyNeverBlocked('evil.test', neverBlock),
  ]).toEqual(['names below it belong to different owners', 'too much that is harmless depends on it', null]);
});

test('every never-blocked host is canonical, and its parent domains are never blocked either', () => {
  for (const host of neverBlock) expect(host).toMatch(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/);
  expect(whyNeverBlocked('nhs.uk', neverBlock)).not.toBeNull();
  expect(whyNeverBlocked('one.one', neverBlock)).not.toBeNull();
});

test.each([
  ['**.anydesk-support*.com', null],
  ['support-*.example.com', null],
  ['**.*-wallet-verify.pages.dev', null],
  ['anydesk.com', 'no star'],
  ['*.github.io', 'names only 0 letters'],
  ['**.*.com', 'names only 0 letters'],
  ['**.pay*.com', 'names only 3 letters'],
  ['**.anydesk-support*.*', 'ends with a star'],
  ['anydesk**.com', 'two stars'],
  ['AnyDesk*.com', 'not a lower-case host'],
  ['any desk*.com', 'not a lower-case host'],
  ['**.', 'not a lower-case host'],
])('the check of the site pattern %s reports: %s', (pattern, problem) => {
  const reportedProblem = patternProblem(pattern);
  if (problem === null) expect(reportedProblem).toBeNull();
  else expect(reportedProblem).toContain(problem);
});

test('comparing a pattern with many stars and a host of one repeated letter stays fast', () => {
  const stars = compileSites([definitionWith('stars', [], [`**.${'a*'.repeat(31)}b.example.net`])], neverBlock);
  const host = Array.from({ length: 3 }, () => 'a'.repeat(63)).join('.');
  expect(siteVerdict(`${host}.example.net`, { rules: stars, list: null, exceptions: new Set() }).verdict).toBe('unknown');
});

const data = ['../../../shared/data', '../../../../shared/data']
  .map((up) => new URL(`${up}/`, import.meta.url))
  .find((url) => existsSync(url));
if (!data) console.log('skipped: the lists of harmless sites do not lie beside the repository');
const lines = (file: string) =>
  readFileSync(new URL(file, data), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '');

test.skipIf(!data)('the catalogue blocks none of the known false positives of public lists', () => {
  const sources = { rules: compileSites(catalogue, neverBlock), list: null, exceptions: new Set<string>() };
  expect(
    lines('scam-list-false-positives.tsv')
      .slice(1)
      .filter((site) => siteVerdict(site, sources).verdict !== 'unknown'),
  ).toEqual([]);
});

test.skipIf(!data)('of the most visited sites the catalogue blocks only those of remote-control programs', () => {
  const sources = { rules: compileSites(catalogue, neverBlock), list: null, exceptions: new Set<string>() };
  const blockedSites = lines('benign-domains.txt').flatMap((site) => {
    const verdict = siteVerdict(site, sources);
    return verdict.verdict === 'known' && verdict.definition?.category !== 'RemoteControl' ? [`${site}: ${verdict.why}`] : [];
  });
  expect(blockedSites).toEqual([]);
});

test('a domain with a star blocks its subdomains for that definition, but not the host itself, its parents or look-alikes', () => {
  const rules = compileSites([definitionWith('tool', ['*.relay-vendor.com'])], neverBlock);
  const matched = (host: string) => findSite(host, rules)?.definition.identifier ?? null;
  expect(['acme.relay-vendor.com', 'a.b.relay-vendor.com'].map(matched)).toEqual(['tool', 'tool']);
  expect(['relay-vendor.com', 'com', 'acmerelay-vendor.com', 'relay-vendor.com.example.org'].map(matched)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
