import { useState } from 'react';
import { Loading } from '../../ui/loading.tsx';
import { SupportLink } from '../../ui/support.tsx';
import { BelowCompatibilityWarning } from './compatibility-warning.tsx';
import { Downloading } from './downloading.tsx';
import { FreeDownloadForm } from './free-download-form.tsx';
import { messages } from './messages.ts';
import { Missing } from './missing.tsx';
import { installerFor, lacks, shownTo } from './rules.ts';
import { useInstallers } from './use-installers.ts';
import { usePlatform } from './use-platform.ts';

/** Of the form's card on a phone, in px. */
const cardHeight = 488;

/** The free plan (2.134 to 2.139): first the form, then the download (4.43). */
export function FreeDownloadScreen() {
  const [done, setDone] = useState(false);
  const platform = usePlatform();
  const installers = useInstallers();
  const own = installerFor(platform);
  const known = platform !== undefined && (installers.data !== undefined || installers.error !== null);
  // Without an installer, the form would ask for an address in vain.
  const nothing = installers.data !== undefined && !shownTo(own).some((one) => installers.data?.includes(one));
  return (
    <div className="wrap narrow stack-l">
      <div>
        <h1>{messages.heading}</h1>
        <p>{messages.lead}</p>
      </div>
      <BelowCompatibilityWarning height={cardHeight}>
        <Loading of={{ data: known || undefined, error: null }} height={cardHeight}>
          {() =>
            nothing ? (
              <Missing system={own} />
            ) : done ? (
              <Downloading installers={installers} own={own} />
            ) : (
              <>
                {lacks(installers.data ?? [], installers.data ? own : null) && <Missing system={own} />}
                <div className="card">
                  <FreeDownloadForm onDone={() => setDone(true)} />
                </div>
              </>
            )
          }
        </Loading>
      </BelowCompatibilityWarning>
      <p className="below">
        {messages.needHelp} <SupportLink className="alone" />
      </p>
    </div>
  );
}
