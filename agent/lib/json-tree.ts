export type JsonValue = null | boolean | number | string | JsonValue[] | JsonTree;
export type JsonTree = { [name: string]: JsonValue };

export const isTree = (value: JsonValue | undefined): value is JsonTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null when a name of the path is missing. */
export function valueAt(tree: JsonTree, path: string[]): JsonValue {
  let value: JsonValue = tree;
  for (const name of path) {
    if (!isTree(value) || !Object.hasOwn(value, name)) return null;
    value = value[name] ?? null;
  }
  return value;
}

/** A copy with this value; missing objects on the way are added. Throws when something that is no object is in the way. */
export function withValue(tree: JsonTree, [name, ...rest]: string[], value: JsonValue): JsonTree {
  if (name === undefined) throw new Error('A path has at least one name.');
  if (rest.length === 0) return { ...tree, [name]: value };
  const below = Object.hasOwn(tree, name) ? tree[name] : {};
  if (!isTree(below)) throw new Error(`${name} is not an object.`);
  return { ...tree, [name]: withValue(below, rest, value) };
}

/** A copy without the value; objects on the way stay, even when they are empty then. */
export function withoutValue(tree: JsonTree, [name, ...rest]: string[]): JsonTree {
  if (name === undefined || !Object.hasOwn(tree, name)) return tree;
  const below = tree[name];
  if (rest.length > 0) return isTree(below) ? { ...tree, [name]: withoutValue(below, rest) } : tree;
  return Object.fromEntries(Object.entries(tree).filter(([other]) => other !== name));
}
