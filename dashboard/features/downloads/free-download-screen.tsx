import { useState } from 'react';
import { SupportLink } from '../../ui/support.tsx';
import { CompatibilityWarning } from './compatibility-warning.tsx';
import { installerFor } from './download-buttons.tsx';
import { Downloading } from './downloading.tsx';
import { FreeDownloadForm } from './free-download-form.tsx';
import { t } from './texts.ts';
import { useInstallers } from './use-installers.ts';
import { usePlatform } from './use-platform.ts';

/** The free plan (2.134 to 2.139): first the form, then the download (4.43). */
export function FreeDownloadScreen() {
  const [done, setDone] = useState(false);
  const platform = usePlatform();
  const installers = useInstallers();
  return (
    <div className="wrap narrow stack-l">
      <div>
        <h1>{t.heading}</h1>
        <p>{t.lead}</p>
      </div>
      <CompatibilityWarning />
      {done ? (
        <Downloading installers={installers} own={installerFor(platform)} />
      ) : (
        <div className="card">
          <FreeDownloadForm onDone={() => setDone(true)} />
        </div>
      )}
      <p>
        {t.needHelp} <SupportLink className="alone" />
      </p>
    </div>
  );
}
