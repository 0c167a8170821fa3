import type { Recognition } from '../recognition.ts';

/** The fields of an entry as lines, such as `programs.signers: AnyDesk Software GmbH`. */
function facts(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => facts(entry, path));
  if (typeof value !== 'object' || value === null) return [`${path}: ${String(value)}`];
  if ('os' in value && !Array.isArray(value.os)) return [`${path}: ${Object.values(value).join(' ')}`];
  if ('facts' in value && 'name' in value) return [`${path}: ${String(value.name)} (${String(value.facts)})`];
  return Object.entries(value).flatMap(([key, entry]) => facts(entry, path === '' ? key : `${path}.${key}`));
}

/** What is compared, by the name that the difference gives it. */
function entriesOf({
  definitions,
  commands: { patterns, ...words },
  money,
  tunnels,
  names: { brands, ...nameWords },
}: Recognition): Map<string, unknown> {
  return new Map<string, unknown>([
    ...definitions.map((definition): [string, unknown] => [definition.identifier, definition]),
    ...patterns.map((pattern): [string, unknown] => [`pattern ${pattern.identifier}`, pattern]),
    ['words of the patterns', words],
    ['money sites', money.map(({ kind, domains }) => ({ [kind]: domains }))],
    ['tunnels', tunnels],
    ...brands.map((brand): [string, unknown] => [`brand ${brand.name}`, brand]),
    ['words of names', nameWords],
  ]);
}

/** Lists added, removed and changed entries, with changed facts. Order and duplicates do not count. */
export function diffRecognition(before: Recognition, after: Recognition): string[] {
  const [oldEntries, newEntries] = [entriesOf(before), entriesOf(after)];
  return [...new Set([...oldEntries.keys(), ...newEntries.keys()])].sort().flatMap((name) => {
    const oldFacts = new Set(facts(oldEntries.get(name) ?? {}));
    const newFacts = new Set(facts(newEntries.get(name) ?? {}));
    const lines = [
      ...[...newFacts].filter((fact) => !oldFacts.has(fact)).map((fact) => `  + ${fact}`),
      ...[...oldFacts].filter((fact) => !newFacts.has(fact)).map((fact) => `  - ${fact}`),
    ];
    if (!oldEntries.has(name)) return [`new: ${name}`, ...lines];
    if (!newEntries.has(name)) return [`gone: ${name}`, ...lines];
    return lines.length > 0 ? [`changed: ${name}`, ...lines] : [];
  });
}
