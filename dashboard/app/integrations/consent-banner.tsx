import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Consent, Service } from '../../integrations/consent.ts';
import { Check } from '../../ui/field.tsx';
import { messages } from './messages.ts';

interface ConsentBannerProps {
  services: Service[];
  before: Consent;
  focus: boolean;
  onAnswer: (answer: Consent) => void;
}

/** Every switch starts off, both buttons have equal weight, and nothing is blocked. */
export function ConsentBanner({ services, before, focus, onAnswer }: ConsentBannerProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [chosen, setChosen] = useState<Consent>(before);
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [focus]);
  const answer = (consentTo: (service: Service) => boolean) =>
    onAnswer(Object.fromEntries(services.map((service) => [service, consentTo(service)])));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    answer((service) => chosen[service] ?? false);
  };
  return (
    <section className="consent no-print" aria-labelledby="consent-heading">
      <form className="wrap" onSubmit={submit}>
        <h2 id="consent-heading" ref={heading} tabIndex={-1}>
          {messages.heading}
        </h2>
        <div className="services">
          {services.map((service) => (
            <Check
              key={service}
              name={service}
              checked={chosen[service] ?? false}
              onChange={(on) => setChosen((consents) => ({ ...consents, [service]: on }))}
            >
              {messages.services[service]}
            </Check>
          ))}
        </div>
        <p>{messages.free}</p>
        <div className="row">
          <button type="submit" className="btn quiet">
            {messages.save}
          </button>
          <button type="button" className="btn quiet" onClick={() => answer(() => false)}>
            {messages.no}
          </button>
        </div>
      </form>
    </section>
  );
}
