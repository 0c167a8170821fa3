import type { BuildEnd } from '@porchlight/contract/installer-build.ts';

export interface InstallerBuilder {
  /** Never rejects. `interrupted`: something outside ended the build, or `stop` did. */
  build(stop: AbortSignal): Promise<BuildEnd | { end: 'interrupted' }>;
  /** Whether makensis is on this computer, which the installer for Windows takes. */
  hasMakensis(): Promise<boolean>;
  /** What the next build signs the programs for Windows with, to compare with that of the last one; null: it signs nothing. */
  signedWith(): Promise<string | null>;
}
