// A setup file of Vitest: notes in which source files a function ran while the tests of a file did (`impact.ts`).
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { impactFolder } from './impact.ts';
import { root } from './root.ts';

/** A process may run several files; V8 counts for all of its sessions together. */
const ofProcess = globalThis as { impactSession?: Session };

beforeAll(async () => {
  if (!ofProcess.impactSession) {
    ofProcess.impactSession = new Session();
    ofProcess.impactSession.connect();
    await ofProcess.impactSession.post('Profiler.enable');
    await ofProcess.impactSession.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }
  // Discards what the files before have run.
  await ofProcess.impactSession.post('Profiler.takePreciseCoverage');
});

afterAll(async () => {
  const { testPath } = expect.getState();
  if (!ofProcess.impactSession || !testPath) return;
  const { result } = await ofProcess.impactSession.post('Profiler.takePreciseCoverage');
  const sources = new Set<string>();
  for (const { url, functions } of result) {
    if (!url.startsWith('file:') || url.includes('/node_modules/')) continue;
    // The function from the first character on is the module itself, which runs when it is loaded.
    if (!functions.some(({ ranges: [range] }) => range && range.count > 0 && range.startOffset > 0)) continue;
    const file = relative(root, fileURLToPath(url.replace(/\?.*/, '')));
    if (!file.startsWith('..') && !/\.test\.tsx?$/.test(file)) sources.add(file);
  }
  const test = relative(root, testPath);
  mkdirSync(impactFolder, { recursive: true });
  const name = createHash('sha256').update(test).digest('hex').slice(0, 16);
  writeFileSync(join(impactFolder, `${name}.json`), JSON.stringify({ [test]: [...sources].toSorted() }));
});
