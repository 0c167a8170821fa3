import { strictEqual as equal } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './browser.ts';
import { copyOfTree } from './copy-of-tree.ts';
import { root } from './root.ts';

/** A copy of the sources, in which the recipes of CONTRIBUTING.md are followed step by step. */
export interface RecipeTree {
  write(file: string, text: string): void;
  /** Inserts `text` after the only place where `mark` is. */
  insert(file: string, mark: string, text: string): void;
  /** Runs a tool of the copy. */
  run(tool: string, ...args: string[]): { code: number | null; output: string };
  /** The compiler's output for a workspace; with files of it, only for these and what they import, which takes half the time. */
  types(folder: string, files?: string[]): string;
  vitest(project: string, ...args: string[]): { code: number | null; output: string };
  remove(): void;
}

/** A file that a contributor writes; its imports are those of the folder that it is copied to. */
export const recipeStep = (name: string): string => readFileSync(join(root, 'dev', 'recipes', name), 'utf8');

export async function openRecipeTree(): Promise<RecipeTree> {
  const tree = await copyOfTree();
  const write = (file: string, text: string) => writeFileSync(join(tree, file), text);
  const run = (tool: string, ...args: string[]) => {
    // The copy has no fetched browser.
    const env = { ...process.env, NO_COLOR: '1', CHROMIUM: findBrowser() ?? '' };
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(tree, tool), ...args], { cwd: tree, env, encoding: 'utf8' });
    return { code: status, output: stdout + stderr };
  };
  return {
    write,
    insert(file, mark, text) {
      const source = readFileSync(join(tree, file), 'utf8');
      equal(source.split(mark).length, 2, `${file} has "${mark}" once`);
      write(
        file,
        source.replace(mark, () => mark + text),
      );
    },
    run,
    types(folder, files) {
      const settings = join(folder, files ? 'tsconfig.recipe.json' : 'tsconfig.json');
      if (files) write(settings, JSON.stringify({ extends: './tsconfig.json', include: [], files }));
      return run('node_modules/typescript/bin/tsc', '-p', settings, '--noEmit').output;
    },
    vitest: (project, ...args) => run('node_modules/vitest/vitest.mjs', 'run', '--project', project, ...args),
    remove: () => rmSync(tree, { recursive: true, force: true }),
  };
}
