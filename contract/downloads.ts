import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { emailAddress, nothing } from './shapes.ts';

export const installerPlatform = z.enum(['windows', 'macos', 'linux']);
export type InstallerPlatform = z.infer<typeof installerPlatform>;

export const installer = z.object({
  platform: installerPlatform,
  /** Bytes. */
  size: z.number().int().positive(),
  /** Lower-case hex. */
  sha256: z.string(),
});
export type Installer = z.infer<typeof installer>;

export const buildProgress = z.object({
  /** From 1 to `steps`. */
  step: z.number().int().positive(),
  steps: z.number().int().positive(),
  /** What the step is for; null for what all systems need. */
  platform: installerPlatform.nullable(),
});
export type BuildProgress = z.infer<typeof buildProgress>;

/** `offline`: a part could not be fetched. `release_key`: the release key of the installers that are there is missing. */
export const buildFailure = z.enum(['offline', 'disk_full', 'release_key', 'too_slow', 'other']);
export type BuildFailure = z.infer<typeof buildFailure>;

/** `idle`: there is nothing to build, or this server builds nothing. `progress`: null until the build has begun its first step. */
export const installerBuild = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({ state: z.literal('building'), progress: buildProgress.nullable() }),
  z.object({ state: z.literal('failed'), reason: buildFailure }),
]);
export type InstallerBuild = z.infer<typeof installerBuild>;

export const downloadEndpoints = endpoints({
  'GET /downloads': {
    summary:
      'The installers that this operator has; they are fetched from /downloads/windows, /downloads/macos and /downloads/linux, with ?code= for a device. Asking begins to build what is missing',
    access: 'public',
    answer: z.object({
      items: z.array(installer),
      build: installerBuild,
      /** The server lacks makensis, which the installer for Windows takes. */
      needs_makensis: z.boolean(),
    }),
    errors: [],
  },
  'POST /free-download': {
    summary: 'Someone wants the free plan; the address only where they agreed to hear from us (3.16, 7.32)',
    access: 'public',
    body: z.object({ email: emailAddress.nullable() }),
    answer: nothing,
    errors: [],
  },
});
