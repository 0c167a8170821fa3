import type { Definition } from '../format.ts';

/** The fields of a definition as lines, such as `programs.signers: AnyDesk Software GmbH`. */
function facts(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => facts(entry, path));
  if (typeof value !== 'object' || value === null) return [`${path}: ${String(value)}`];
  if ('os' in value) return [`${path}: ${Object.values(value).join(' ')}`];
  if ('facts' in value && 'name' in value) return [`${path}: ${String(value.name)} (${String(value.facts)})`];
  return Object.entries(value).flatMap(([key, entry]) => facts(entry, path === '' ? key : `${path}.${key}`));
}

/** Lists added, removed and changed definitions, with changed facts. Order and duplicates do not count. */
export function diffDefinitions(before: Definition[], after: Definition[]): string[] {
  const oldDefinitions = new Map(before.map((definition) => [definition.identifier, definition]));
  const newDefinitions = new Map(after.map((definition) => [definition.identifier, definition]));
  return [...new Set([...oldDefinitions.keys(), ...newDefinitions.keys()])].sort().flatMap((identifier) => {
    const oldFacts = new Set(facts(oldDefinitions.get(identifier) ?? {}));
    const newFacts = new Set(facts(newDefinitions.get(identifier) ?? {}));
    const lines = [
      ...[...newFacts].filter((fact) => !oldFacts.has(fact)).map((fact) => `  + ${fact}`),
      ...[...oldFacts].filter((fact) => !newFacts.has(fact)).map((fact) => `  - ${fact}`),
    ];
    if (!oldDefinitions.has(identifier)) return [`new: ${identifier}`, ...lines];
    if (!newDefinitions.has(identifier)) return [`gone: ${identifier}`, ...lines];
    return lines.length > 0 ? [`changed: ${identifier}`, ...lines] : [];
  });
}
