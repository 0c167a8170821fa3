import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { answerConsent, useConsent } from '../../outside/consent.ts';
import { ConsentBanner } from './consent-banner.tsx';
import { t } from './texts.ts';
import { useAnalytics } from './use-analytics.ts';
import { useChat } from './use-chat.ts';
import { useErrorReporting } from './use-error-reporting.ts';
import './outside.css';

/** Everything of third parties: loaded only where the operator has configured one, and does nothing before someone agreed (P7.2). */
export function Outside() {
  const consent = useConsent();
  const [asked, setAsked] = useState(false);
  const [kept, setKept] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useAnalytics(consent === 'yes');
  useErrorReporting(consent === 'yes');
  useChat(consent === 'yes');
  // The banner is gone, and with it the button that had the focus.
  useEffect(() => {
    if (kept) button.current?.focus({ preventScroll: true });
  }, [kept]);

  const answer = (yes: boolean) => {
    answerConsent(yes ? 'yes' : 'no');
    setAsked(false);
    setKept(true);
  };
  const ask = () => {
    setKept(false);
    setAsked(true);
  };
  return (
    <>
      <button ref={button} type="button" className="linklike" onClick={ask}>
        {t.choices}
      </button>
      <span className="sr" role="status">
        {kept && t.kept}
      </span>
      {(consent === null || asked) && createPortal(<ConsentBanner before={consent} focus={asked} onAnswer={answer} />, document.body)}
    </>
  );
}
