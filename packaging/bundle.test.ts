import { fileURLToPath } from 'node:url';
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
