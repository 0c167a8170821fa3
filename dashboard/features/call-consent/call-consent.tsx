import type { CallConsent as Consent } from '@porchlight/contract/calls.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { useId } from 'react';
import { config } from '../../lib/config.ts';
import { paths } from '../../lib/paths.ts';
import { personAt } from '../../lib/person-messages.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { type Called, messages } from './messages.ts';
import { useCallConsent, useCallConsentActions } from './queries.ts';

interface CallConsentProps {
  device: { uuid: string; name: string; person: Person | null };
  /** Whether to say that a number is missing. */
  hint?: boolean;
}

/** Whether the user of a computer may be called after a stop (P11.1). Optional: it blocks nothing, and shows nothing until it is known. */
export function CallConsent(props: CallConsentProps) {
  return config.calls ? <Card {...props} /> : null;
}

function Card({ device, hint = false }: CallConsentProps) {
  const consent = useCallConsent(device.uuid);
  const headingId = useId();
  const user = personAt(device);
  const called: Called = user.kind === 'other' ? { name: user.name, is_reader: false } : { name: 'you', is_reader: true };
  if (!consent.data?.calls || (consent.data.phone_number === null && !hint)) return null;
  return (
    <section className="card stack" aria-labelledby={headingId}>
      <h2 id={headingId}>{messages.heading(called)}</h2>
      <Answer consent={consent.data} called={called} device={device.uuid} />
    </section>
  );
}

function Answer({ consent: { state, calling, phone_number }, called, device }: { consent: Consent; called: Called; device: string }) {
  const form = useForm();
  const { ask, withdraw } = useCallConsentActions(device);
  if (phone_number === null) return <NumberMissing called={called} />;
  if (state === 'refused') return <p>{messages.refused(phone_number)}</p>;
  const isCalling = calling && state === 'asked';
  const submit = () =>
    form.run(async () => {
      if (state === 'agreed') {
        await withdraw();
        return messages.withdrawn(called);
      }
      await ask();
      return undefined;
    });
  const label = state === 'agreed' ? messages.withdraw(called) : state === 'asked' ? messages.callAgain(called) : messages.call(called);
  return (
    <Form state={form} onSubmit={() => void submit()}>
      {/* One element for all states, so that each change is announced. */}
      <p role="status">
        {isCalling
          ? messages.calling(called, phone_number)
          : state === 'agreed'
            ? messages.agreed(called, phone_number)
            : state === 'asked'
              ? messages.unanswered(called)
              : messages.explain(called)}
      </p>
      {!isCalling && (
        <button type="submit" className="btn quiet" disabled={form.loading}>
          {label}
        </button>
      )}
    </Form>
  );
}

function NumberMissing({ called }: { called: Called }) {
  return (
    <>
      <p>{messages.numberMissing(called)}</p>
      {called.is_reader && (
        <Link className="alone" to={paths.profile}>
          {messages.profile}
        </Link>
      )}
    </>
  );
}
