import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { useState } from 'react';
import { closeOffer, isOnHomeScreen, offerOf } from '../../integrations/push-offer.ts';
import { guardianPush } from '../../integrations/push-record.ts';
import { Icon } from '../../ui/icons.tsx';
import { messages } from './messages.ts';
import { PushHelp } from './push-help.tsx';
import { usePush } from './use-push.ts';

/** Offers a guardian alerts in the browser in which they accepted, until they answer; never beside an emergency. `guardian`: their id. */
export function PushOffer({ guardian, view }: { guardian: string; view: GuardianView }) {
  const { state, device, form, turnOn } = usePush(guardianPush(guardian));
  const [offered, setOffered] = useState(() => state !== 'on' && isOffered(guardian));
  const isEmergency = [...view.requests, ...view.incidents].some((item) => item.state === 'open');
  if (!offered || isEmergency || state === 'unsupported') return null;
  const close = () => {
    closeOffer(guardian);
    setOffered(false);
    document.getElementById('page')?.focus({ preventScroll: true });
  };
  if (state === 'on') return <Accepted device={device} close={close} />;
  return (
    <section className="card stack" aria-labelledby="push-offer">
      <h2 id="push-offer">{messages.offer(device)}</h2>
      {state !== 'denied' && <p>{messages.why}</p>}
      <PushHelp state={state} />
      {form.error && (
        <p role="alert" className="problem">
          {form.error}
        </p>
      )}
      <div className="row">
        {state === 'off' && (
          <button type="button" className="btn" disabled={form.loading} onClick={() => void turnOn()}>
            <Icon name="bell" />
            {messages.turnOn}
          </button>
        )}
        <button type="button" className="btn quiet" onClick={close}>
          {state === 'denied' ? messages.close : messages.notNow}
        </button>
      </div>
    </section>
  );
}

const isOffered = (guardian: string) => offerOf(guardian) === 'open' || (offerOf(guardian) === null && isOnHomeScreen());

function Accepted({ device, close }: { device: string; close: () => void }) {
  return (
    <section className="note good stack" aria-live="polite">
      <p>
        {messages.turnedOn(device)} {messages.later}
      </p>
      <div>
        <button type="button" className="btn quiet" onClick={close}>
          {messages.close}
        </button>
      </div>
    </section>
  );
}
