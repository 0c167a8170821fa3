import type { Guardian } from '@porchlight/contract/guardians.ts';
import { type ReactNode, useId } from 'react';
import { inWords } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { reachProblem } from '../../lib/unreached-messages.ts';
import { useNow } from '../../lib/use-now.ts';
import { Choice } from '../../ui/choice.tsx';
import { useConfirm } from '../../ui/confirm-dialog.tsx';
import { Form, type FormState, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Link } from '../../ui/link.tsx';
import { messages } from './messages.ts';
import { useGuardianActions } from './queries.ts';

interface GuardianRowProps {
  guardian: Guardian;
  form: FormState;
  onRemoved: () => void;
  children?: ReactNode;
}

export function GuardianRow({ guardian, form, onRemoved, children }: GuardianRowProps) {
  const { uuid, name, email } = guardian;
  const ask = useConfirm();
  const nameId = useId();
  const { remove, resend } = useGuardianActions();
  const onRemove = () =>
    form.run(async () => {
      await ask({ heading: messages.removeAsk.heading, body: messages.removeAsk.body(name), confirm: messages.remove, danger: true });
      await remove(uuid);
      onRemoved();
      return messages.removed(name);
    });
  const onResend = () =>
    form.run(async () => {
      await ask({ heading: messages.resendAsk.heading, body: messages.resendAsk.body(name) });
      await resend(uuid);
      return messages.resent;
    });
  return (
    <div className="card stack">
      <div>
        <strong id={nameId}>{name}</strong>
        <br />
        <span className="soft">{email}</span>
      </div>
      <GuardianState guardian={guardian} />
      <Reach guardian={guardian} />
      {children}
      {guardian.state === 'active' && <MayIsolate guardian={guardian} />}
      <div className="row">
        <button type="button" className="btn quiet" aria-describedby={nameId} onClick={() => void onResend()}>
          {messages.resend}
        </button>
        <button type="button" className="btn danger" title={messages.removeTitle(name)} onClick={() => void onRemove()}>
          {messages.remove}
        </button>
        <Link className="alone" to={paths.guardian(uuid)}>
          {messages.show(name)}
        </Link>
      </div>
    </div>
  );
}

/** Active and Pending (2.111) and the other states of an invitation; for active guardians also the last page visit. */
function GuardianState({ guardian: { state, last_looked, mail, texts } }: { guardian: Guardian }) {
  const now = useNow();
  const { label, hint } = messages.states[state];
  const icon = { active: 'tick', pending: 'wait', expired: 'wait', declined: 'cross', left: 'cross' } as const;
  const by = mail ? (texts === 'on' ? messages.told.both : messages.told.mail) : texts === 'on' ? messages.told.sms : '';
  return (
    <>
      <p className="row">
        <span className={`tag ${state === 'active' ? 'safe' : 'look'}`}>
          <Icon name={icon[state]} size={18} />
          {label}
        </span>
        <span className="soft small">{hint}</span>
      </p>
      {state === 'active' && (
        <p className="soft small">
          {by && `${by.charAt(0).toUpperCase()}${by.slice(1)} · `}
          {last_looked ? messages.looked(inWords(new Date(last_looked), now)) : messages.neverLooked}
        </p>
      )}
    </>
  );
}

/** The switch *May cut the internet there* (P10.6). */
function MayIsolate({ guardian: { uuid, name, may_isolate } }: { guardian: Guardian }) {
  const form = useForm();
  const { mayIsolate } = useGuardianActions();
  const { label, hint, changed } = messages.mayIsolate;
  const choose = (on: boolean) =>
    form.run(async () => {
      await mayIsolate({ uuid, may_isolate: on });
      return changed(name, on);
    });
  return (
    <Form state={form} onSubmit={() => undefined} label={`${label}: ${name}`}>
      <Choice
        kind="switch"
        name="may_isolate"
        label={label}
        hint={hint[may_isolate === null ? 'unset' : may_isolate ? 'on' : 'off'](name)}
        checked={may_isolate === true}
        onChange={(on) => !form.loading && void choose(on)}
      />
    </Form>
  );
}

/** A channel that does not reach the guardian, and what to do (P5.4). */
function Reach({ guardian }: { guardian: Guardian }) {
  const problem = reachProblem(guardian);
  return problem && <p className="note look">{`${problem.sentence}. ${problem.todo}`}</p>;
}
