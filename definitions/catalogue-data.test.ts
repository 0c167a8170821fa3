import { expect, test } from 'vitest';
import { readCatalogue } from './catalogue.ts';
import { compileSet, matchProgram, matchSite } from './match.ts';
import { renamedPrograms } from './testing/disguise.ts';
import { benignDomains, benignProductsSeen, benignPrograms, falsePositives, sharedDataIsThere } from './testing/shared-data.ts';

const catalogue = readCatalogue();
const set = compileSet({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions: catalogue });
const matched = (seenProgram: Parameters<typeof matchProgram>[0]) => {
  const match = matchProgram(seenProgram, set);
  return match ? [`${JSON.stringify(seenProgram)} → ${match.identifier}: ${match.why.join(', ')}`] : [];
};

test('[P4.2] tools renamed to a meaningless name, svchost.exe or chrome.exe are recognised by their version information and signature', () => {
  const renamable = catalogue.filter((definition) => renamedPrograms(definition).length > 0);
  const missedPrograms = renamable.flatMap((definition) =>
    renamedPrograms(definition)
      .filter(
        (seenProgram) =>
          matchProgram(seenProgram, set)?.identifier !== definition.identifier || matchProgram(seenProgram, set)?.certainty !== 'certain',
      )
      .map((seenProgram) => `${definition.identifier}: ${JSON.stringify(seenProgram)}`),
  );
  expect(renamable.length).toBeGreaterThanOrEqual(30);
  expect(missedPrograms).toEqual([]);
});

test('[P4.2] a harmless program with the file name of a tool never matches as certain', () => {
  const putty = { original_name: 'PuTTY', product: 'PuTTY suite', company: 'Simon Tatham', signer: 'Simon Tatham' };
  const certain = catalogue.flatMap(({ programs }) =>
    programs.names.filter(({ os, name }) => matchProgram({ os, name, ...putty }, set)?.certainty === 'certain').map(({ name }) => name),
  );
  expect(certain).toEqual([]);
});

test.skipIf(!sharedDataIsThere)(
  'no well-known harmless program matches a definition (skipped when the list of programs is missing)',
  () => {
    const programs = benignPrograms();
    expect(programs.length).toBeGreaterThan(9000);
    expect(programs.flatMap(matched)).toEqual([]);
  },
);

test.skipIf(!sharedDataIsThere)(
  'no ordinary product matches a definition by product name or file name (skipped when the list of products is missing)',
  () => {
    const products = benignProductsSeen();
    expect(products.length).toBeGreaterThan(14_000);
    expect(products.flatMap(matched)).toEqual([]);
  },
);

test.skipIf(!sharedDataIsThere)(
  'neither the most visited hosts nor known false positives of public lists are blocked (skipped when the lists are missing)',
  () => {
    const hosts = [...benignDomains(), ...falsePositives()];
    expect(hosts.length).toBeGreaterThan(10_000);
    expect(hosts.filter((host) => matchSite(host, set) !== null)).toEqual([]);
  },
);
