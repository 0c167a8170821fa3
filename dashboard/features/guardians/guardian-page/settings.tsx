import type { GuardianView } from '@porchlight/contract/guardians.ts';
import type { ReactNode } from 'react';
import { ConfirmButton } from './confirm-button.tsx';
import { isReached } from './is-reached.ts';
import { LazyPart } from './lazy-part.tsx';
import { Sessions } from './sessions.tsx';
import { messages } from './settings-messages.ts';
import { Switch } from './switch.tsx';
import { Texts } from './text-messages.tsx';
import { Actions, usePageActions } from './use-guardian-page.ts';
import { type CodeProof, useProof } from './use-proof.ts';

interface SettingsProps {
  view: GuardianView;
  /** Absent in the holder's preview, which has no actions. */
  proof?: CodeProof;
  /** Alerts in this browser. */
  push?: ReactNode;
  onLeft?: () => void;
}

/** Clause 6.6. */
export function Settings({ view, proof, push, onLeft }: SettingsProps) {
  const { holder_name: holder, mail, weekly, every_week } = view;
  const { actions, request } = useProof(usePageActions());
  const leave = async () => {
    await actions?.leave();
    onLeft?.();
  };
  return (
    <Actions value={actions}>
      <section className="card stack" aria-labelledby="reach">
        <h2 id="reach">{messages.reach.heading}</h2>
        {!isReached(view) && (
          <p className="note look" role="status">
            {messages.reach.nothing(holder)}
          </p>
        )}
        <Switch label={messages.reach.mail} on={mail} onChange={actions && ((email) => actions.change({ email }))} />
        {mail && (
          <>
            <Switch label={messages.reach.weekly} on={weekly} onChange={actions && ((on) => actions.change({ weekly: on }))} />
            <p className="soft small">{messages.reach.weeklyHint}</p>
            {weekly && (
              <Switch label={messages.reach.everyWeek} on={every_week} onChange={actions && ((on) => actions.change({ every_week: on }))} />
            )}
          </>
        )}
        <hr />
        <Texts view={view} />
        {push}
      </section>
      {actions && <Sessions holder={holder} actions={actions} />}
      <p className="soft small">{messages.private(holder)}</p>
      {actions && <ConfirmButton label={messages.leave.button} danger ask={messages.leave.ask(holder)} act={leave} />}
      {request && <LazyPart height={0}>{proof?.(request)}</LazyPart>}
    </Actions>
  );
}
