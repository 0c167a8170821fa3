import { posix } from 'node:path';

/** `to`: a path from the repository's root, `node:…`, or `npm:<package>`. */
export interface Import {
  to: string;
  types_only: boolean;
  /** By `import()`. */
  lazy: boolean;
}

const statement =
  /^[ \t]*(import|export)\s+(type\s+)?([^'"`;]*?)\bfrom\s*['"]([^'"]+)['"]|^[ \t]*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

export function importsOf(file: string, source: string): Import[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^[ \t]*\/\/.*$/gm, '');
  return [...code.matchAll(statement)].map(([, , type, names = '', fromPath, sideEffectPath, dynamic]) => ({
    to: resolve(file, fromPath ?? sideEffectPath ?? dynamic ?? ''),
    types_only: Boolean(type) || onlyTypes(names),
    lazy: dynamic !== undefined,
  }));
}

/** `{ type A, type B }` imports nothing at run time. */
function onlyTypes(names: string): boolean {
  const bracedNames = /^\s*\{([^}]*)\}\s*$/.exec(names)?.[1];
  const list = bracedNames?.split(',').filter((name) => name.trim()) ?? [];
  return list.length > 0 && list.every((name) => /^\s*type\s/.test(name));
}

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  if (specifier.startsWith('@porchlight/')) return specifier.slice('@porchlight/'.length);
  if (specifier.startsWith('node:')) return specifier;
  return `npm:${specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')}`;
}
