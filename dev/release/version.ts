import { Refused } from './refused.ts';

/** The installer for Windows can name no other versions. */
const pattern = /^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})$/;

export function requireVersion(version: string): void {
  if (!pattern.test(version)) throw new Refused(`${version} is no version. It takes three numbers, for example 1.2.0.`);
}

/** Negative if `one` is lower than `other`. */
export function compareVersions(one: string, other: string): number {
  const [ones, others] = [one, other].map((version) => version.split('.').map(Number)) as [number[], number[]];
  const differing = ones.findIndex((number, n) => number !== others[n]);
  return differing === -1 ? 0 : (ones[differing] ?? 0) - (others[differing] ?? 0);
}
