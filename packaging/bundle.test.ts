import { fileURLToPath } from 'node:url';
import { shippedRecognition } from '@porchlight/definitions/shipped.ts';
import { neverBlockWith } from '@porchlight/definitions/sites/never-block.ts';
import { expect, test } from 'vitest';
import { bundle } from './bundle.ts';
import { targets } from './targets.ts';

test.each(targets)(
  'the agent for %s has nothing of the self-check, which is a program of its own and needs no native part',
  async (target) => {
    const agent = await bundle(target, 'koffi.node', null);
    const selfCheck = await bundle(target, 'koffi.node', null, fileURLToPath(new URL('./self-check/main.ts', import.meta.url)));
    for (const words of ['--guardian-knows', 'holiday-photos', 'JSON of the self-check begins', 'NOT PLAYED']) {
      expect(selfCheck).toContain(words);
      expect(agent).not.toContain(words);
    }
    expect(agent).toContain('koffi.node');
    expect(selfCheck).not.toContain('koffi');
  },
);

test.each(targets)('[P16.1] the agent for %s contains none of the patterns, banks and tunnels that it recognises', async (target) => {
  const { commands, money } = shippedRecognition([]);
  // Never blocked as a scam, with or without a set.
  const needed = neverBlockWith([]);
  const names = [
    ...commands.patterns.map(({ identifier }) => identifier).filter((identifier) => identifier.includes('-')),
    ...money.flatMap(({ domains }) => domains).filter((domain) => domain.length > 16 && !needed.has(domain)),
    ...['ligolo-ng', 'zerotier-one_arm64'],
  ];
  expect(names.length).toBeGreaterThan(200);
  const agent = await bundle(target, 'koffi.node', null);
  expect(names.filter((name) => agent.includes(name))).toEqual([]);
  const institutions = fileURLToPath(new URL('../definitions/money/institutions.ts', import.meta.url));
  expect(await bundle(target, 'koffi.node', null, institutions)).toContain('navyfederal.org');
});
