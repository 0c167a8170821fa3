import { z } from 'zod';
import { buildFailure, buildProgress } from './downloads.ts';

/** What a build of the installers and the server write for each other, in the folder from which the server offers the installers. */

export const buildFiles = {
  /** Written last by a build. */
  built: 'built.json',
  /** There while a build runs: its lock, with its progress. A build touches it often, so an old one is of a build that was ended. */
  building: 'building.json',
  /** Written by the server whose build failed, so that a restart of it, or another server, does not try again at once. */
  failed: 'build-failed.json',
} as const;

/** In milliseconds: how long a build may leave its file untouched. It packs many megabytes at a time, with low priority. */
export const build_stale_ms = 5 * 60_000;

export const builtInstallers = z.object({
  version: z.string(),
  public_url: z.string(),
  /** The root key of the server, which the agents in the installers pin. */
  root_key: z.string(),
  /** The files of the installers, such as `porchlight.exe`. */
  installers: z.array(z.string()),
  /** The installer for Windows was left out, because makensis was not there. */
  needs_makensis: z.boolean(),
  /** What the programs for Windows are signed with, as `signedWith` gives it; null: nothing is signed. */
  signed_with: z.string().nullable().default(null),
  /** False while the next build is writing: the files are those of one build or the other. */
  complete: z.boolean(),
});
export type BuiltInstallers = z.infer<typeof builtInstallers>;

/** `certificate`: the SHA-256 of the file with the certificate. Installers are built again when this changes. */
export const signedWith = (certificate: string, timestampUrl: string | undefined): string =>
  `${certificate} ${timestampUrl || 'no timestamp'}`;

export const runningBuild = buildProgress.extend({
  /** Of this build alone. */
  id: z.string(),
  pid: z.number().int(),
  /** The computer's name; a process id means nothing on another one. */
  host: z.string(),
});
export type RunningBuild = z.infer<typeof runningBuild>;

/** The last message of a build that a server started, to that server. */
export const buildEnd = z.discriminatedUnion('end', [
  /** `notes`: sentences for the operator. */
  z.object({ end: z.literal('built'), notes: z.array(z.string()) }),
  /** Another build runs in this folder. */
  z.object({ end: z.literal('busy') }),
  z.object({ end: z.literal('failed'), reason: buildFailure, message: z.string() }),
]);
export type BuildEnd = z.infer<typeof buildEnd>;
