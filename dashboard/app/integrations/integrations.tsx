import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'react-router';
import { analytics } from '../../integrations/analytics.ts';
import { answerConsent, type Consent, type Service, useConsent } from '../../integrations/consent.ts';
import { onMilestone } from '../../integrations/milestones.ts';
import { config } from '../../lib/config.ts';
import { ServerState } from '../server-state.tsx';
import { ConsentBanner } from './consent-banner.tsx';
import { pathBelowDashboard, place } from './location.ts';
import { messages } from './messages.ts';
import { useChat } from './use-chat.ts';
import { useErrorReporting } from './use-error-reporting.ts';
import './integrations.css';

/** Counts page views (7.39) and registrations (4.5). */
function useAnalytics(wanted: boolean): void {
  const { pathname } = useLocation();
  const collector = useMemo(() => (wanted && config.analytics ? analytics(config.analytics, place) : null), [wanted]);
  useEffect(() => {
    // After a timeout, when the guard has redirected: a page that nobody saw is not counted.
    const timer = window.setTimeout(() => pathBelowDashboard(window.location.pathname) === pathname && collector?.view(), 0);
    return () => clearTimeout(timer);
  }, [collector, pathname]);
  useEffect(() => (collector ? onMilestone((milestone) => collector.event(milestone)) : undefined), [collector]);
}

const configured: Record<Service, boolean> = {
  chat: Boolean(config.chat),
  errors: Boolean(config.error_reporting),
  analytics: Boolean(config.analytics),
};
const services = (Object.keys(configured) as Service[]).filter((service) => configured[service]);

/** Third-party services, inactive before consent (P7.2). */
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
  const [consentSaved, setConsentSaved] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useAnalytics(consent.analytics === true);
  useErrorReporting(consent.errors === true);
  useChat(consent.chat === true);
  const unanswered = services.some((service) => consent[service] === undefined);
  useEffect(() => {
    if (consentSaved) button.current?.focus({ preventScroll: true });
  }, [consentSaved]);

  const answer = (newConsent: Consent) => {
    answerConsent(newConsent);
    setAsked(false);
    setConsentSaved(true);
  };
  const ask = () => {
    setConsentSaved(false);
    setAsked(true);
  };
  return (
    <>
      <button ref={button} type="button" className="linklike" onClick={ask}>
        {messages.choices}
      </button>
      <span className="sr" role="status">
        {consentSaved && messages.kept}
      </span>
      {(unanswered || asked) &&
        createPortal(<ConsentBanner services={services} before={consent} focus={asked} onAnswer={answer} />, document.body)}
    </>
  );
}
