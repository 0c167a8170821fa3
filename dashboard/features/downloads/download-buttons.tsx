import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import { useState } from 'react';
import { pages } from '../../lib/paths.ts';
import { Loading } from '../../ui/loading.tsx';
import { optional } from '../../ui/optional.tsx';
import { messages } from './download-messages.ts';
import { Missing } from './missing.tsx';
import type { Offer } from './offer-rules.ts';
import { installerFor, isInstallerMissing, missingCause, platformsFor } from './offer-rules.ts';
import { useInstallers } from './use-installers.ts';
import { usePlatform } from './use-platform.ts';
import './downloads.css';

// The share page weighs little, and there a build has rarely yet to end.
const NotReady = optional(async () => (await import('./not-ready.tsx')).NotReady);

export function DownloadButtons({ code, lead: introduction }: { code?: string; lead?: string }) {
  const installers = useInstallers();
  const platform = usePlatform();
  const loadable = platform ? installers : { ...installers, data: undefined };
  return (
    <Loading of={loadable} height={48}>
      {(offer) => <Buttons offer={offer} first={installerFor(platform)} code={code} lead={introduction} />}
    </Loading>
  );
}

export function DownloadCard({ code }: { code: string }) {
  return (
    <section className="card stack">
      <h2 className="minor">{messages.card}</h2>
      <DownloadButtons code={code} lead={messages.lead} />
    </section>
  );
}

interface ButtonsProps {
  offer: Offer;
  first: InstallerPlatform | null;
  code?: string | undefined;
  lead?: string | undefined;
}

export function Buttons({ offer, first, code, lead }: ButtonsProps) {
  const items = offer.platforms;
  const order = platformsFor(first);
  const offered = order.filter((platform) => items.includes(platform));
  const isMissing = offered.length === 0 || isInstallerMissing(items, first);
  const cause = isMissing ? missingCause(offer, first) : null;
  const [wasNotReady, setWasNotReady] = useState(false);
  if (cause && cause !== 'none' && !wasNotReady) setWasNotReady(true);
  return (
    <div>
      <div className="not-ready" aria-live="polite">
        {cause === 'none' && <Missing system={first} />}
        {wasNotReady && <NotReady offer={offer} system={first} cause={cause} />}
      </div>
      {offered.length > 0 && (
        <div className="stack">
          {lead && <p>{offered[0] === 'linux' ? messages.leadLinux : lead}</p>}
          <div className="row">
            {offered.map((platform) => (
              <a key={platform} className={platform === first ? 'btn' : 'btn quiet'} href={pages.download(platform, code)}>
                {messages.download[platform]}
              </a>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
