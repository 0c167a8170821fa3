import { useState } from 'react';
import { Loading } from '../../ui/loading.tsx';
import { SupportLink } from '../../ui/support.tsx';
import { BelowCompatibilityWarning } from './compatibility-warning.tsx';
import { Downloading } from './downloading.tsx';
import { FreeDownloadForm } from './free-download-form.tsx';
import { messages } from './messages.ts';
import { Missing } from './missing.tsx';
import { NotReady } from './not-ready.tsx';
import { installerFor, isInstallerMissing, missingCause, platformsFor } from './offer-rules.ts';
import { useInstallers } from './use-installers.ts';
import { usePlatform } from './use-platform.ts';

/** The height of the form's card on a phone, in px. */
const cardHeight = 488;

/** First the form, then the download (2.134 to 2.139, 4.43), also while there is no installer yet: the download begins once there is one. */
export function FreeDownloadScreen() {
  const [done, setDone] = useState(false);
  const platform = usePlatform();
  const installers = useInstallers();
  const ownPlatform = installerFor(platform);
  const known = platform !== undefined && (installers.data !== undefined || installers.error !== null);
  const offer = installers.data;
  const nothing = offer !== undefined && !platformsFor(ownPlatform).some((one) => offer.platforms.includes(one));
  const cause = offer && (nothing || isInstallerMissing(offer.platforms, ownPlatform)) ? missingCause(offer, ownPlatform) : null;
  return (
    <div className="wrap narrow stack-l">
      <div>
        <h1>{messages.heading}</h1>
        <p>{messages.lead}</p>
      </div>
      <BelowCompatibilityWarning height={cardHeight}>
        <Loading of={{ data: known || undefined, error: null }} height={cardHeight}>
          {() => (
            // After the form the card of the download says what is missing.
            <div>
              {done ? (
                <Downloading installers={installers} own={ownPlatform} />
              ) : (
                <>
                  <div className="not-ready" aria-live="polite">
                    {cause === 'none' && <Missing system={ownPlatform} />}
                    {offer && <NotReady offer={offer} system={ownPlatform} cause={cause} />}
                  </div>
                  <div className="card">
                    <FreeDownloadForm onDone={() => setDone(true)} />
                  </div>
                </>
              )}
            </div>
          )}
        </Loading>
      </BelowCompatibilityWarning>
      <p className="below">
        {messages.needHelp} <SupportLink className="alone" />
      </p>
    </div>
  );
}
