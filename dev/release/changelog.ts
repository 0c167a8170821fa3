import { Refused } from './refused.ts';
import { compareVersions } from './version.ts';

const unreleased = '## Unreleased';
const released = /^## (\d+\.\d+\.\d+) – (\d{4}-\d\d-\d\d)$/;

interface Released {
  version: string;
  date: string;
}

/** The versions in the order of the page. */
export const versionsIn = (changelog: string): Released[] =>
  changelog.split('\n').flatMap((line) => {
    const [, version, date] = released.exec(line) ?? [];
    return version && date ? [{ version, date }] : [];
  });

/** What is wrong with the headings of the page, a sentence each. */
export function changelogErrors(changelog: string): string[] {
  const headings = changelog.split('\n').filter((line) => /^#{2,} /.test(line));
  const errors = headings[0] === unreleased ? [] : [`The first heading should be "${unreleased}".`];
  for (const heading of headings.slice(1))
    if (!released.test(heading)) errors.push(`"${heading}" should be a version and its date, as in "## 1.2.0 – 2026-11-26".`);
  const versions = versionsIn(changelog);
  for (const [n, { version, date }] of versions.entries()) {
    if (new Date(date).toISOString().slice(0, 10) !== date) errors.push(`${date} is no date.`);
    const older = versions[n + 1];
    if (older && (compareVersions(version, older.version) <= 0 || date < older.date))
      errors.push(`${version} of ${date} comes before ${older.version} of ${older.date}, and should be newer.`);
  }
  return errors;
}

/** The part of the page below a heading, without empty lines around it. */
function below(changelog: string, heading: string): string {
  const [, rest = ''] = `\n${changelog}`.split(`\n${heading}\n`);
  return (rest.split(/^## /m)[0] ?? '').trim();
}

/** What changed in a version, as the page has it. */
export function changesOf(changelog: string, version: string): string {
  const heading = changelog.split('\n').find((line) => released.exec(line)?.[1] === version);
  return heading ? below(changelog, heading) : '';
}

/** Moves what is under *Unreleased* to the version. */
export function withVersion(changelog: string, version: string, date: string): string {
  if (below(changelog, unreleased) === '')
    throw new Refused(`CHANGELOG.md has nothing under "${unreleased}". Write there what someone who uses Porchlight would notice.`);
  return changelog.replace(`${unreleased}\n`, `${unreleased}\n\n## ${version} – ${date}\n`);
}
