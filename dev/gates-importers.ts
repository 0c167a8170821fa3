import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf } from './imports.ts';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

/**
 * These files and all that import them, directly or through others: only they can stop compiling when these change. It follows files and not the
 * dependencies of workspaces, so that a changed test, which nobody imports, compiles one workspace and not all that depend on it.
 */
export function withImporters(files: string[]): Set<string> {
  const importers = new Map<string, string[]>();
  for (const file of filesBelow('.', /\.tsx?$/)) {
    for (const { to } of importsOf(file, readFileSync(join(root, file), 'utf8'))) importers.set(to, [...(importers.get(to) ?? []), file]);
  }
  const reached = new Set(files);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return reached;
}
