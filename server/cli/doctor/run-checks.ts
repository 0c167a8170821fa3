import { within } from '../../lib/within.ts';
import type { SettingName } from '../../settings/known.ts';
import { type Check, error, type Finding, reasonOf, unknown } from './check.ts';

export interface Result extends Finding {
  id: string;
}

/** Runs all checks side by side; the results are in the order of the checks. `limitMs`: for each check. `broken`: settings that are wrong. */
export async function runChecks(checks: Check[], broken: ReadonlySet<SettingName>, limitMs: number): Promise<Result[]> {
  const results = checks.map(async (check) => {
    const findings = await findingsOf(check, broken, limitMs);
    return findings.map((finding) => ({ id: check.id, ...finding }));
  });
  return (await Promise.all(results)).flat();
}

async function findingsOf(
  { needs = [], after, late = 'error', run }: Check,
  broken: ReadonlySet<SettingName>,
  limitMs: number,
): Promise<Finding[]> {
  const wrongNeeds = needs.filter((name) => broken.has(name));
  if (wrongNeeds.length) return [unknown(`This cannot be checked before ${wrongNeeds.join(' and ')} is corrected.`)];
  await after;
  const abort = new AbortController();
  const work = async () => run(abort.signal);
  const found = await within(
    work().catch((err: unknown) => error(`This could not be checked: ${reasonOf(err)}.`)),
    limitMs,
    () => ({
      state: late,
      text: `There was no answer within ${limitMs / 1000} seconds. Check the address in the settings, and that no firewall is in the way.`,
    }),
  );
  abort.abort();
  return [found].flat();
}
