import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { config } from '../../../lib/config.ts';
import { Loading } from '../../../ui/loading.tsx';
import { useProfile } from '../queries.ts';
import { ResendButton } from '../resend-button.tsx';
import { phoneNumberRequiresVerification } from '../rules.ts';
import { messages } from './messages.ts';
import { PhoneDialog } from './phone-dialog.tsx';
import { ProfileForm } from './profile-form.tsx';

const flag = 'verify-phone';
/** The polling interval in milliseconds, for a refused text message or a number verified elsewhere. */
const pollMs = 5_000;

/** Clauses 2.99 to 2.101. */
export function General() {
  const [search, setSearch] = useSearchParams();
  const profile = useProfile(search.has(flag) ? { poll: pollMs } : {});
  const [justSaved, setJustSaved] = useState(false);
  const [verified, setVerified] = useState(false);
  const setFlag = (on: boolean) =>
    setSearch(
      (previousParams) => {
        if (on) previousParams.set(flag, '');
        else previousParams.delete(flag);
        return previousParams;
      },
      { replace: true },
    );
  return (
    <Loading of={profile} height={420}>
      {(data) => {
        const optedOut = config.features.sms && data.phone_number_opted_out ? messages.optedOut(data.phone_number_host) : null;
        return (
          <div className="stack-l">
            {verified && <Verified onDismiss={() => setVerified(false)} />}
            {optedOut && <p className="note look">{optedOut}</p>}
            {data.pending_email && <PendingEmail pending={data.pending_email} current={data.email} />}
            <ProfileForm
              profile={data}
              onPhoneSaved={(savedProfile) => {
                setVerified(false);
                const required = phoneNumberRequiresVerification(savedProfile, config.features);
                setJustSaved(required);
                if (required) setFlag(true);
              }}
            />
            {search.has(flag) && phoneNumberRequiresVerification(data, config.features) && (
              <PhoneDialog
                number={data.phone_number ?? ''}
                justSaved={justSaved}
                optedOut={optedOut}
                onClose={() => {
                  setJustSaved(false);
                  setFlag(false);
                }}
                onVerified={() => setVerified(true)}
              />
            )}
          </div>
        );
      }}
    </Loading>
  );
}

/** 4.25. Not a browser box, which scammers use too: a text that is announced at once and stays until dismissed. */
function Verified({ onDismiss }: { onDismiss: () => void }) {
  return (
    <div className="note good row between">
      <span role="alert">{messages.verify.done}</span>
      <button type="button" className="btn quiet" onClick={onDismiss}>
        {messages.verify.dismiss}
      </button>
    </div>
  );
}

/** Shows a new address until its confirmation, for which it polls (P2.4). */
function PendingEmail({ pending, current }: { pending: string; current: string }) {
  useProfile({ poll: 5000 });
  return (
    <section className="note look stack" aria-labelledby="pending-email">
      <h2 id="pending-email">{messages.pending.heading}</h2>
      <p>{messages.pending.lead(pending, current)}</p>
      <ResendButton done={messages.pending.sent} />
    </section>
  );
}
