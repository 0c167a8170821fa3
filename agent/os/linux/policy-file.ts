import { chmod, mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isTree, type JsonTree, type JsonValue, valueAt, withoutValue, withValue } from '../../lib/json-tree.ts';
import { isTemporaryOf, replaceFile, textOf } from '../../lib/replace-file.ts';
import { requireOwnPath } from '../../lib/system-path.ts';

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Separates a file from an object in it: `/etc/firefox/policies/policies.json#policies/Permissions`. */
const INSIDE = '#';

/** Policies in JSON files below `root`, whose paths are given without it. What others have in a file stays, with its indentation. */
export function policyFiles(root: string) {
  const load = async (file: string) => {
    const text = await textOf(join(root, file));
    let tree: JsonValue = {};
    try {
      if (text.trim()) tree = JSON.parse(text.replace(/^\uFEFF/, '')) as JsonValue;
    } catch {
      tree = null;
    }
    if (!isTree(tree)) throw new Error(`${file} is not valid JSON`);
    return { text, tree };
  };
  /** Chromium would read what an interrupted change has left behind. */
  const removeLeftovers = async (file: string) => {
    const path = join(root, file);
    await requireOwnPath(path, root);
    const names = await readdir(dirname(path)).catch(() => []);
    for (const name of names) if (isTemporaryOf(name, basename(path))) await rm(join(dirname(path), name), { force: true });
  };
  const save = async (file: string, before: string, tree: JsonTree) => {
    const folder = dirname(join(root, file));
    await removeLeftovers(file);
    // Browsers run as other users, and our umask makes new folders private.
    const created: string[] = [];
    for (let at = folder; !(await exists(at)); at = dirname(at)) created.unshift(at);
    for (const path of created) {
      await mkdir(path);
      await chmod(path, 0o755);
    }
    const indent = /^\s*\{\s*\n([ \t]+)"/.exec(before)?.[1] ?? (before.trim() && !before.trim().includes('\n') ? undefined : 2);
    await replaceFile(join(root, file), `${JSON.stringify(tree, null, indent)}${before && !before.endsWith('\n') ? '' : '\n'}`);
  };
  const change = async (file: string, update: (tree: JsonTree) => JsonTree) => {
    const { text, tree } = await load(file);
    await save(file, text, update(tree));
  };
  return {
    exists: (path: string) => exists(join(root, path)),
    read: async (file: string, path: string[]) => valueAt((await load(file)).tree, path),
    async missing(file: string, path: string[]): Promise<string[]> {
      const missing: string[] = [];
      for (let at = file; at !== dirname(at) && !(await exists(join(root, at))); at = dirname(at)) missing.unshift(at);
      const { tree } = await load(file);
      for (let length = 1; length < path.length; length++) {
        const above = path.slice(0, length);
        if (valueAt(tree, above) === null) missing.push(`${file}${INSIDE}${above.join('/')}`);
      }
      return missing;
    },
    set: (file: string, path: string[], value: JsonValue) => change(file, (tree) => withValue(tree, path, value)),
    remove: (file: string, path: string[]) => change(file, (tree) => withoutValue(tree, path)),
    removeLeftovers,
    async removeIfEmpty(container: string): Promise<void> {
      const [file = '', inside] = container.split(INSIDE);
      await requireOwnPath(join(root, file), root);
      const stats = await stat(join(root, file)).catch(() => null);
      if (!stats) return;
      if (stats.isDirectory())
        return rmdir(join(root, file)).catch((err: NodeJS.ErrnoException) => {
          if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(err.code ?? '')) throw err;
        });
      const path = inside?.split('/') ?? [];
      const { text, tree } = await load(file);
      const value = valueAt(tree, path);
      if (!isTree(value) || Object.keys(value).length > 0) return;
      if (inside === undefined) await rm(join(root, file));
      else await save(file, text, withoutValue(tree, path));
    },
  };
}
