import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/**
 * Which source files ran code for which test file: `npm test -- --all --map` writes it, `npm test -- --changed` reads it. Measuring
 * takes two fifths more processor time, so a landing does without.
 */
export type Impact = Record<string, string[]>;

const mapFile = join(root, '.cache', 'tests', 'impact.json');
/** One file for each test file of the run, since several processes write. */
export const impactFolder = join(root, '.cache', 'tests', 'impact');
/** With this variable `impact-setup.ts` measures. */
export const impactVariable = 'TEST_IMPACT';

/** Null: no whole run has written one yet. */
export function readImpact(): Impact | null {
  return existsSync(mapFile) ? (JSON.parse(readFileSync(mapFile, 'utf8')) as Impact) : null;
}

/** Joins what the run has measured with what earlier runs have. */
export function storeImpact(): void {
  if (!existsSync(impactFolder)) return;
  const map = readImpact() ?? {};
  for (const name of readdirSync(impactFolder)) Object.assign(map, JSON.parse(readFileSync(join(impactFolder, name), 'utf8')));
  mkdirSync(join(root, '.cache', 'tests'), { recursive: true });
  writeFileSync(mapFile, JSON.stringify(map));
  rmSync(impactFolder, { recursive: true, force: true });
}
