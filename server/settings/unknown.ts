import { settingNames } from './known.ts';

/** Prefixes of our settings. */
const prefixes = /^(FEATURE|TWILIO|STRIPE|CHAT|ANALYTICS|SENTRY|SMTP|PORCHLIGHT)_/;

/** Kubernetes sets these for a service called `chat` or `porchlight` in the same namespace. */
const byKubernetes = (name: string, value: string) =>
  /_SERVICE_(HOST|PORT)/.test(name) || /^(tcp|udp):\/\//.test(value) || /_PORT_\d+_/.test(name);

/** Variables that our programs pass to each other. */
const internalVariables = ['PORCHLIGHT_SUCCESSOR'];

/** A sentence for each setting, with the probable meaning. */
export function unknownSettings(env: Record<string, string | undefined>): string[] {
  const errors: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!value || (settingNames as string[]).includes(name) || internalVariables.includes(name) || byKubernetes(name, value)) continue;
    const prefix = prefixes.exec(name)?.[0];
    const similarName = similarSetting(name);
    if (similarName) errors.push(`${name} is not a setting of Porchlight. Did you mean ${similarName}?`);
    else if (prefix) {
      const settingsWithPrefix = settingNames.filter((one) => one.startsWith(prefix));
      errors.push(`${name} is not a setting of Porchlight. Beginning with ${prefix} there is: ${settingsWithPrefix.join(', ')}.`);
    }
  }
  return errors;
}

/** The most similar setting; null if none is similar. */
function similarSetting(name: string): string | null {
  // `path` and `Port` are other programs' variables.
  const normalized = name.includes('_') ? name.toUpperCase() : name;
  const nearest = settingNames.map((one) => ({ one, far: distance(normalized, one) })).sort((a, b) => a.far - b.far)[0];
  return nearest && nearest.far <= (nearest.one.length < 10 ? 1 : 2) ? nearest.one : null;
}

/** Edit distance with adjacent swaps (Damerau, optimal string alignment). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const distanceAt = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const substitutionCost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          distanceAt(i - 1, j) + 1,
          distanceAt(i, j - 1) + 1,
          distanceAt(i - 1, j - 1) + substitutionCost,
          isSwap ? distanceAt(i - 2, j - 2) + 1 : a.length + b.length,
        ),
      );
    }
  }
  return distanceAt(a.length, b.length);
}
