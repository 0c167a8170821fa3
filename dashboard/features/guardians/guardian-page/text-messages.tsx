import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { useState } from 'react';
import { config } from '../../../lib/config.ts';
import { QuietStatus, useForm } from '../../../ui/form.tsx';
import { PhoneCode } from './phone-code.tsx';
import { PhoneNumber } from './phone-number.tsx';
import { messages } from './settings-messages.ts';
import { Switch } from './switch.tsx';
import { usePageActions } from './use-guardian-page.ts';

/** Phone number, verification, texts on or off, and what to do after a STOP (6.6, 2.117). */
export function Texts({ view }: { view: GuardianView }) {
  const { phone_number: number, phone_number_verified: verified, sms } = view;
  const actions = usePageActions();
  const [editing, setEditing] = useState(false);
  const [justSaved, setJustSaved] = useState(false);
  if (!config.features.sms) return null;
  if (!number || editing) {
    if (!actions) return <p>{messages.phone.none}</p>;
    const finishEditing = (saved: boolean) => {
      setEditing(false);
      setJustSaved(saved);
    };
    return <PhoneNumber number={number} saved={() => finishEditing(true)} cancel={number ? () => finishEditing(false) : null} />;
  }
  return (
    <div className="stack">
      {view.phone_number_opted_out && <p className="note look">{messages.phone.optedOut(view.phone_number_host)}</p>}
      {verified ? (
        <>
          <p>{messages.phone.verified(number)}</p>
          {config.calls && <p className="soft">{messages.phone.called}</p>}
          <Switch label={messages.reach.texts} on={sms} onChange={actions && ((on) => actions.change({ sms: on }))} />
        </>
      ) : actions ? (
        <PhoneCode number={number} justSaved={justSaved} />
      ) : (
        <p>{messages.phone.unverified}</p>
      )}
      {actions && <ChangeNumber change={() => setEditing(true)} remove={() => actions.change({ phone_number: null })} />}
    </div>
  );
}

function ChangeNumber({ change, remove }: { change: () => void; remove: () => Promise<void> }) {
  const form = useForm();
  const press = () =>
    form.run(async () => {
      await remove();
      return messages.phone.removed;
    });
  return (
    <div>
      <div className="row">
        <button type="button" className="btn quiet" onClick={change}>
          {messages.phone.other}
        </button>
        <button type="button" className="btn quiet" onClick={() => void press()}>
          {messages.phone.remove}
        </button>
      </div>
      <QuietStatus state={form} />
    </div>
  );
}
