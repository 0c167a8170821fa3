import { expect, test } from 'vitest';
import { readCatalogue } from './catalogue.ts';
import { sharedHosts } from './check-lists.ts';
import { compileSet, matchSite } from './match.ts';
import { registrableDomain } from './sites/public-suffix.ts';
import { benignDomains, sharedDataIsThere } from './testing/shared-data.ts';
import { toolHosts } from './testing/tool-hosts.ts';

const catalogue = readCatalogue();
const set = compileSet({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions: catalogue });
const identifierOf = (host: string) => matchSite(host, set)?.identifier ?? null;
const matchedHosts = (hosts: string[]) =>
  hosts.filter((host) => identifierOf(host) !== null).map((host) => `${host} → ${identifierOf(host)}`);

test('the table names at least sixty tools of the catalogue, each once and with a host of its download or session', () => {
  const identifiers = toolHosts.map(({ identifier }) => identifier);
  expect(new Set(identifiers).size).toBe(identifiers.length);
  expect(identifiers.length).toBeGreaterThanOrEqual(60);
  const known = new Set(catalogue.map(({ identifier }) => identifier));
  expect(identifiers.filter((identifier) => !known.has(identifier))).toEqual([]);
  expect(toolHosts.filter(({ download = [], session = [] }) => download.length + session.length === 0)).toEqual([]);
});

test.each(toolHosts)(
  'a host that serves the download, session or relay of $identifier is recognised as that tool, while ordinary sites of its company stay open',
  ({ identifier, download = [], session = [], relay = [], open = [] }) => {
    const missedHosts = [...download, ...session, ...relay].filter((host) => identifierOf(host) !== identifier);
    expect(missedHosts.map((host) => `${host} → ${identifierOf(host)}`)).toEqual([]);
    expect(matchedHosts(open)).toEqual([]);
  },
);

test('a host of a tool that is left out stays open', () => {
  expect(matchedHosts(toolHosts.flatMap(({ leftOut = [] }) => leftOut))).toEqual([]);
});

// Without this, a row could leave out any host that is merely inconvenient.
test.skipIf(!sharedDataIsThere)(
  'a host is left out only if its domain is one of the most visited or shared (skipped when the list of hosts is missing)',
  () => {
    const visited = new Set(benignDomains());
    const withoutReason = toolHosts
      .flatMap(({ leftOut = [] }) => leftOut)
      .filter((host) => {
        const domain = registrableDomain(host) ?? host;
        return !visited.has(domain) && !sharedHosts.has(domain);
      });
    expect(withoutReason).toEqual([]);
  },
);
