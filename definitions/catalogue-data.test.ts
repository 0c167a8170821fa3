import { expect, test } from 'vitest';
import { readCatalogue } from './catalogue.ts';
import { compileSet, matchProgram, matchSite } from './match.ts';
import { renamedPrograms } from './testing/disguise.ts';
import { benignDomains, benignProductsSeen, benignPrograms, falsePositives, sharedDataIsThere } from './testing/shared-data.ts';

const catalogue = readCatalogue();
const set = compileSet({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions: catalogue });
const matched = (seen: Parameters<typeof matchProgram>[0]) => {
  const match = matchProgram(seen, set);
  return match ? [`${JSON.stringify(seen)} → ${match.identifier}: ${match.why.join(', ')}`] : [];
};

test('[P4.2] tools that were renamed to nothing, to svchost.exe and to chrome.exe are found by what they say of themselves', () => {
  const families = catalogue.filter((definition) => renamedPrograms(definition).length > 0);
  const missed = families.flatMap((definition) =>
    renamedPrograms(definition)
      .filter((seen) => matchProgram(seen, set)?.identifier !== definition.identifier || matchProgram(seen, set)?.certainty !== 'certain')
      .map((seen) => `${definition.identifier}: ${JSON.stringify(seen)}`),
  );
  expect(families.length).toBeGreaterThanOrEqual(30);
  expect(missed).toEqual([]);
});

test('[P4.2] a harmless program that was given the name of a tool is never called certain', () => {
  const putty = { original_name: 'PuTTY', product: 'PuTTY suite', company: 'Simon Tatham', signer: 'Simon Tatham' };
  const certain = catalogue.flatMap(({ programs }) =>
    programs.names.filter(({ os, name }) => matchProgram({ os, name, ...putty }, set)?.certainty === 'certain').map(({ name }) => name),
  );
  expect(certain).toEqual([]);
});

test.skipIf(!sharedDataIsThere)(
  'of well-known harmless programs none is taken for a threat (skipped where their list is not there)',
  () => {
    const programs = benignPrograms();
    expect(programs.length).toBeGreaterThan(9000);
    expect(programs.flatMap(matched)).toEqual([]);
  },
);

test.skipIf(!sharedDataIsThere)('of ordinary products none is, as a product or as a file (skipped where their list is not there)', () => {
  const products = benignProductsSeen();
  expect(products.length).toBeGreaterThan(14_000);
  expect(products.flatMap(matched)).toEqual([]);
});

test.skipIf(!sharedDataIsThere)(
  'of the most visited hosts none is blocked, nor what lists carry by mistake (skipped where they are not there)',
  () => {
    const hosts = [...benignDomains(), ...falsePositives()];
    expect(hosts.length).toBeGreaterThan(10_000);
    expect(hosts.filter((host) => matchSite(host, set) !== null)).toEqual([]);
  },
);
