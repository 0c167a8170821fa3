import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { answerConsent, type Consent, type Service, useConsent } from '../../integrations/consent.ts';
import { config } from '../../lib/config.ts';
import { ServerState } from '../server-state.tsx';
import { ConsentBanner } from './consent-banner.tsx';
import { messages } from './messages.ts';
import { useAnalytics } from './use-analytics.ts';
import { useChat } from './use-chat.ts';
import { useErrorReporting } from './use-error-reporting.ts';
import './integrations.css';

const there: Record<Service, boolean> = {
  chat: Boolean(config.chat),
  errors: Boolean(config.error_reporting),
  analytics: Boolean(config.analytics),
};
const services = (Object.keys(there) as Service[]).filter((service) => there[service]);

/** Everything of third parties: loaded only where the operator has configured one, and each does nothing before someone agreed to it (P7.2). */
export function Integrations() {
  return (
    <ServerState>
      <Consented />
    </ServerState>
  );
}

function Consented() {
  const consent = useConsent();
  const [asked, setAsked] = useState(false);
  const [kept, setKept] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useAnalytics(consent.analytics === true);
  useErrorReporting(consent.errors === true);
  useChat(consent.chat === true);
  const unanswered = services.some((service) => consent[service] === undefined);
  // The banner took the focused button with it, so the focus needs another place.
  useEffect(() => {
    if (kept) button.current?.focus({ preventScroll: true });
  }, [kept]);

  const answer = (said: Consent) => {
    answerConsent(said);
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
        {messages.choices}
      </button>
      <span className="sr" role="status">
        {kept && messages.kept}
      </span>
      {(unanswered || asked) &&
        createPortal(<ConsentBanner services={services} before={consent} focus={asked} onAnswer={answer} />, document.body)}
    </>
  );
}
