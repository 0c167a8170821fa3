import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import { useEffect, useRef } from 'react';
import { pages } from '../../lib/paths.ts';
import { type Loadable, Loading } from '../../ui/loading.tsx';
import { Buttons } from './download-buttons.tsx';
import { messages } from './messages.ts';
import { type Offer, platformsFor } from './offer-rules.ts';

/** 2.139. `own`: the installer for this computer, or null. */
export function Downloading({ installers, own: ownPlatform }: { installers: Loadable<Offer>; own: InstallerPlatform | null }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const file = ownPlatform && installers.data?.platforms.includes(ownPlatform) ? ownPlatform : null;
  const begunRef = useRef(false);
  useEffect(() => {
    if (!file || begunRef.current) return;
    begunRef.current = true;
    window.location.assign(pages.download(file));
  }, [file]);
  return (
    <section className="card stack" aria-labelledby="downloading">
      <h2 id="downloading" ref={heading} tabIndex={-1}>
        {messages.downloading}
      </h2>
      <Loading of={installers} height={48}>
        {(offer) => {
          const isOffered = platformsFor(ownPlatform).some((platform) => offer.platforms.includes(platform));
          return (
            <>
              {isOffered && <p>{file ? messages.started : messages.generic}</p>}
              <Buttons offer={offer} first={ownPlatform} />
              {file && <h3>{messages.steps(file)}</h3>}
              {isOffered && (
                <ol className="steps">
                  {(file ? messages[file] : messages.genericSteps).map((step) => (
                    <li key={step}>{step}</li>
                  ))}
                </ol>
              )}
            </>
          );
        }}
      </Loading>
    </section>
  );
}
