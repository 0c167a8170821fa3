import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import type { ReactNode } from 'react';
import { config } from '../../lib/config.ts';
import { NotifyMe } from './missing.tsx';
import { messages } from './not-ready-messages.ts';
import type { Cause, Offer } from './offer-rules.ts';
import { Preparing } from './preparing.tsx';

export interface NotReadyProps {
  offer: Offer;
  /** Null if there are no installers at all. */
  system: InstallerPlatform | null;
  /** Null once no installer is missing. */
  cause: Cause | null;
}

/**
 * What the server does about a missing installer, and what people can do: other words for who runs a server on their own computer. It belongs into a
 * live region, so that a screen reader announces the steps of a build, and its end.
 */
export function NotReady({ offer, system, cause }: NotReadyProps) {
  return (
    <>
      <Preparing build={offer.build} ready={cause === null} />
      {(cause === 'failed' || cause === 'makensis') && (
        <div className="note look missing stack">
          <p>{messages.notReady}</p>
          {cause === 'failed' && <p>{messages.failed}</p>}
          {config.development ? <Advice offer={offer} /> : <NotifyMe system={system} />}
        </div>
      )}
    </>
  );
}

function Advice({ offer: { build } }: { offer: Offer }) {
  if (build.state !== 'failed') return <Command around={messages.makensis}>apt-get install nsis</Command>;
  return (
    <>
      <p>{messages.failedWhy[build.reason]}</p>
      <Command around={messages.byHand}>npm run installers</Command>
    </>
  );
}

function Command({ around: [before, after], children }: { around: readonly [string, string]; children: ReactNode }) {
  return (
    <p>
      {before} <code>{children}</code> {after}
    </p>
  );
}
