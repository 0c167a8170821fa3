import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Definition, definition } from './format.ts';

const shipped = fileURLToPath(new URL('./catalogue', import.meta.url));

/** Fields that the format does not know: a misspelt one would otherwise vanish without a word. */
function unknownFields(raw: unknown, parsed: unknown, path: string): string[] {
  if (typeof raw !== 'object' || raw === null || typeof parsed !== 'object' || parsed === null) return [];
  const known = new Map<string, unknown>(Object.entries(parsed));
  return Object.entries(raw).flatMap(([key, value]) => {
    const here = path === '' ? key : `${path}.${key}`;
    return known.has(key) ? unknownFields(value, known.get(key), here) : [here];
  });
}

function readFamily(folder: string, file: string): Definition {
  const wrong = (problem: string, cause?: unknown) => new Error(`${file}: ${problem}`, { cause });
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  } catch (cause) {
    throw wrong('this is not JSON', cause);
  }
  const { success, data, error } = definition.safeParse(raw);
  if (!success) throw wrong(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '), error);
  const unknown = unknownFields(raw, data, '');
  if (unknown.length > 0) throw wrong(`${unknown.join(', ')}: the format has no such field`);
  if (data.identifier !== basename(file, '.json')) throw wrong(`identifier: is ${data.identifier}, and must be the file's own name`);
  return data;
}

/** All families of a folder, by identifier. Throws with the file and the field when one is not as the format says. */
export function readCatalogue(folder: string = shipped): Definition[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => readFamily(folder, file))
    .sort((a, b) => (a.identifier < b.identifier ? -1 : 1));
}
