import { useEffect, useRef } from 'react';
import { config } from '../../lib/config.ts';
import type { Consent } from '../../outside/consent.ts';
import { t } from './texts.ts';

/** What for, in plain words, and two buttons that look the same. It covers nothing for good and stops nobody. */
export function ConsentBanner({ before, focus, onAnswer }: { before: Consent; focus: boolean; onAnswer: (yes: boolean) => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [focus]);
  return (
    <section className="consent no-print" aria-labelledby="consent-heading">
      <div className="wrap">
        <h2 id="consent-heading" ref={heading} tabIndex={-1}>
          {t.heading}
        </h2>
        <ul>
          {config.chat && <li>{t.chat}</li>}
          {config.error_reporting && <li>{t.errors}</li>}
          {config.analytics && <li>{t.analytics}</li>}
        </ul>
        <p>
          {t.free} {before === 'yes' && t.saidYes}
          {before === 'no' && t.saidNo}
        </p>
        <div className="row">
          <button type="button" className="btn quiet" onClick={() => onAnswer(true)}>
            {t.yes}
          </button>
          <button type="button" className="btn quiet" onClick={() => onAnswer(false)}>
            {t.no}
          </button>
        </div>
      </div>
    </section>
  );
}
