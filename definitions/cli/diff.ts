import type { Definition } from '../format.ts';

/** Every value of a family with the path of its field, as `programs.signers: AnyDesk Software GmbH`. */
function facts(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => facts(entry, path));
  if (typeof value !== 'object' || value === null) return [`${path}: ${String(value)}`];
  // A name with its system is one fact.
  if ('os' in value) return [`${path}: ${Object.values(value).join(' ')}`];
  if ('facts' in value && 'name' in value) return [`${path}: ${String(value.name)} (${String(value.facts)})`];
  return Object.entries(value).flatMap(([key, entry]) => facts(entry, path === '' ? key : `${path}.${key}`));
}

/** New, changed and gone families by identifier, each with the facts that came and went. Order and repetition do not count. */
export function diffFamilies(before: Definition[], after: Definition[]): string[] {
  const old = new Map(before.map((definition) => [definition.identifier, definition]));
  const now = new Map(after.map((definition) => [definition.identifier, definition]));
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((identifier) => {
    const had = new Set(facts(old.get(identifier) ?? {}));
    const has = new Set(facts(now.get(identifier) ?? {}));
    const lines = [
      ...[...has].filter((fact) => !had.has(fact)).map((fact) => `  + ${fact}`),
      ...[...had].filter((fact) => !has.has(fact)).map((fact) => `  - ${fact}`),
    ];
    if (!old.has(identifier)) return [`new: ${identifier}`, ...lines];
    if (!now.has(identifier)) return [`gone: ${identifier}`, ...lines];
    return lines.length > 0 ? [`changed: ${identifier}`, ...lines] : [];
  });
}
