import { names } from './known.ts';

/** What begins like this is meant for us. */
const families = /^(FEATURE|TWILIO|STRIPE|CHAT|ANALYTICS|SENTRY|SMTP|PORCHLIGHT)_/;

/** Kubernetes sets these for a service beside us that is called `chat` or `porchlight`. */
const byKubernetes = (name: string, value: string) =>
  /_SERVICE_(HOST|PORT)/.test(name) || /^(tcp|udp):\/\//.test(value) || /_PORT_\d+_/.test(name);

/** Ours, and no setting: what one program of ours tells the next one. */
const between = ['PORCHLIGHT_SUCCESSOR'];

/** What looks like a setting of ours and is none, a sentence each, with what was probably meant. */
export function unknownSettings(env: Record<string, string | undefined>): string[] {
  const wrong: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!value || (names as string[]).includes(name) || between.includes(name) || byKubernetes(name, value)) continue;
    const family = families.exec(name)?.[0];
    const meant = resembled(name);
    if (meant) wrong.push(`${name} is not a setting of Porchlight. Did you mean ${meant}?`);
    else if (family) {
      const ours = names.filter((one) => one.startsWith(family));
      wrong.push(`${name} is not a setting of Porchlight. Beginning with ${family} there is: ${ours.join(', ')}.`);
    }
  }
  return wrong;
}

/** The setting that someone meant who wrote this; null where it is like none of them. */
function resembled(name: string): string | null {
  // `path` and `Port` belong to others.
  const written = name.includes('_') ? name.toUpperCase() : name;
  const near = names.map((one) => ({ one, far: distance(written, one) })).sort((a, b) => a.far - b.far)[0];
  return near && near.far <= (near.one.length < 10 ? 1 : 2) ? near.one : null;
}

/** How many letters were added, left out, changed or swapped with the next one (Damerau, one change to a place). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same, swapped ? at(i - 2, j - 2) + 1 : a.length + b.length));
    }
  }
  return at(a.length, b.length);
}
