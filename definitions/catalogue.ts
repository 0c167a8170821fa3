import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Definition, definition } from './format.ts';

const shipped = fileURLToPath(new URL('./catalogue', import.meta.url));

function unknownFields(raw: unknown, parsed: unknown, path: string): string[] {
  if (typeof raw !== 'object' || raw === null || typeof parsed !== 'object' || parsed === null) return [];
  const knownFields = new Map<string, unknown>(Object.entries(parsed));
  return Object.entries(raw).flatMap(([key, value]) => {
    const fieldPath = path === '' ? key : `${path}.${key}`;
    return knownFields.has(key) ? unknownFields(value, knownFields.get(key), fieldPath) : [fieldPath];
  });
}

function readDefinition(folder: string, file: string): Definition {
  const fileError = (problem: string, cause?: unknown) => new Error(`${file}: ${problem}`, { cause });
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  } catch (cause) {
    throw fileError('this is not JSON', cause);
  }
  const { success, data, error } = definition.safeParse(raw);
  if (!success) throw fileError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '), error);
  const unknownPaths = unknownFields(raw, data, '');
  if (unknownPaths.length > 0) throw fileError(`${unknownPaths.join(', ')}: the format has no such field`);
  if (data.identifier !== basename(file, '.json')) throw fileError(`identifier: is ${data.identifier}, and must be the file's own name`);
  return data;
}

/** Reads all definitions, sorted by identifier. Throws with file and field for a malformed definition. */
export function readCatalogue(folder: string = shipped): Definition[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => readDefinition(folder, file))
    .sort((a, b) => (a.identifier < b.identifier ? -1 : 1));
}
