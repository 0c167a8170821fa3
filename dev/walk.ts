import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

const skipped = new Set(['node_modules', 'dist', 'data', 'test-results']);

export function filesBelow(folder: string, ending: RegExp): string[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      if (skipped.has(entry.name) || entry.name.startsWith('.')) return [];
      const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return filesBelow(path, ending);
      return ending.test(entry.name) ? [path] : [];
    });
  } catch {
    return [];
  }
}
