import type { Guardian } from '@porchlight/contract/guardians.ts';
import { useId } from 'react';
import { Link } from 'react-router';
import { inWords } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { useNow } from '../../lib/use-now.ts';
import { useConfirm } from '../../ui/confirm-dialog.tsx';
import { type FormState } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { t } from './messages.ts';
import { useGuardianActions } from './queries.ts';

/** `onRemoved`: its buttons are gone, so the focus needs another place. */
export function GuardianRow({ guardian, form, onRemoved }: { guardian: Guardian; form: FormState; onRemoved: () => void }) {
  const { uuid, name, email } = guardian;
  const ask = useConfirm();
  const nameId = useId();
  const { remove, resend } = useGuardianActions();
  const onRemove = () =>
    form.run(async () => {
      await ask({ heading: t.removeAsk.heading, body: t.removeAsk.body(name), confirm: t.remove, danger: true });
      await remove(uuid);
      onRemoved();
      return t.removed(name);
    });
  const onResend = () =>
    form.run(async () => {
      await ask({ heading: t.resendAsk.heading, body: t.resendAsk.body(name) });
      await resend(uuid);
      return t.resent;
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
      <div className="row">
        <button type="button" className="btn quiet" aria-describedby={nameId} onClick={() => void onResend()}>
          {t.resend}
        </button>
        <button type="button" className="btn danger" title={t.removeTitle(name)} onClick={() => void onRemove()}>
          {t.remove}
        </button>
        <Link className="alone" to={paths.guardian(uuid)}>
          {t.show(name)}
        </Link>
      </div>
    </div>
  );
}

/** Active and Pending as 2.111 has them, and what else can become of an invitation; when an active one last looked. */
function GuardianState({ guardian: { state, last_looked, mail, texts } }: { guardian: Guardian }) {
  const now = useNow();
  const { label, hint } = t.states[state];
  const icon = { active: 'tick', pending: 'wait', expired: 'wait', declined: 'cross', left: 'cross' } as const;
  const by = mail ? (texts === 'on' ? t.told.both : t.told.mail) : texts === 'on' ? t.told.sms : '';
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
          {last_looked ? t.looked(inWords(new Date(last_looked), now)) : t.neverLooked}
        </p>
      )}
    </>
  );
}

/** Nothing arrives, and what to do about it (P5.4). */
function Reach({ guardian: { name, state, mail, texts, trouble } }: { guardian: Guardian }) {
  if (trouble) return <p className="note look">{t.unreachable[trouble.channel](name)}</p>;
  if (state === 'active' && !mail && texts !== 'on') return <p className="note look">{t.silent(name)}</p>;
  return null;
}
