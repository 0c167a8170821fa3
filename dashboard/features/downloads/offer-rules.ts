import type { InstallerBuild, InstallerPlatform } from '@porchlight/contract/downloads.ts';
import type { Platform } from '../../integrations/platform.ts';

export interface Offer {
  platforms: InstallerPlatform[];
  build: InstallerBuild;
  needsMakensis: boolean;
}

/** In milliseconds until the next poll; null: nothing will change. A server that failed tries again when it is asked, so this asks rarely. */
export function pollMs({ state }: InstallerBuild): number | null {
  return { idle: null, building: 3_000, failed: 30_000 }[state];
}

/** The installer for this computer; null if it has none. */
export function installerFor(platform: Platform | undefined): InstallerPlatform | null {
  if (platform?.kind === 'Windows') return 'windows';
  if (platform?.kind === 'macOS') return 'macos';
  return platform?.description === 'Linux' ? 'linux' : null;
}

/** The installers offered, this computer's own first. A Linux package is of use only on Linux. */
export function platformsFor(ownPlatform: InstallerPlatform | null): InstallerPlatform[] {
  if (ownPlatform === 'linux') return ['linux', 'windows', 'macos'];
  return ownPlatform === 'macos' ? ['macos', 'windows'] : ['windows', 'macos'];
}

/** Whether somebody might wait for this computer's installer. On Linux the page already says that it is not compatible (8.19). */
export function isInstallerMissing(items: InstallerPlatform[], ownPlatform: InstallerPlatform | null): boolean {
  return ownPlatform !== null && ownPlatform !== 'linux' && !items.includes(ownPlatform);
}

/** `none`: this server builds nothing, or found nothing to build. */
export type Cause = 'building' | 'failed' | 'makensis' | 'none';

/** Why an installer is missing. `system`: null if there are none at all. */
export function missingCause({ build, needsMakensis }: Offer, system: InstallerPlatform | null): Cause {
  if (build.state !== 'idle') return build.state;
  return needsMakensis && (system === 'windows' || system === null) ? 'makensis' : 'none';
}
