import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import { Missing } from './missing.tsx';
import { Preparing } from './preparing.tsx';
import type { Offer } from './use-installers.ts';

export interface NotReadyProps {
  offer: Offer;
  /** The system whose installer is missing; null if there are no installers at all. */
  system: InstallerPlatform | null;
  isMissing: boolean;
}

/** Belongs into a live region, so that a screen reader announces the steps of a build, and its end. */
export function NotReady({ offer, system, isMissing }: NotReadyProps) {
  return (
    <>
      <Preparing build={offer.build} ready={!isMissing} />
      {isMissing && <Missing system={system} offer={offer} />}
    </>
  );
}
