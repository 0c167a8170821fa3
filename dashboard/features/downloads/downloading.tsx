import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import { useEffect, useRef } from 'react';
import { pages } from '../../lib/paths.ts';
import { type Loadable, Loading } from '../../ui/loading.tsx';
import { Buttons } from './download-buttons.tsx';
import { messages } from './messages.ts';

/** What comes after the form (2.139): the download, and how to install it. `own`: the installer made for this computer; null: none is. */
export function Downloading({ installers, own }: { installers: Loadable<InstallerPlatform[]>; own: InstallerPlatform | null }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The form and its focused button are gone.
  useEffect(() => heading.current?.focus(), []);
  const file = own && installers.data?.includes(own) ? own : null;
  const begun = useRef(false);
  useEffect(() => {
    if (!file || begun.current) return;
    begun.current = true;
    // An attachment: the page stays.
    window.location.assign(pages.download(file));
  }, [file]);
  return (
    <section className="card stack" aria-labelledby="downloading">
      <h2 id="downloading" ref={heading} tabIndex={-1}>
        {messages.downloading}
      </h2>
      <Loading of={installers} height={48}>
        {(items) => (
          <>
            {!file && <p>{messages.generic}</p>}
            {file && <p>{messages.started}</p>}
            <Buttons items={items} first={own} />
            {file && <h3>{messages.steps(file)}</h3>}
            <ol className="steps">
              {(file ? messages[file] : messages.genericSteps).map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </>
        )}
      </Loading>
    </section>
  );
}
