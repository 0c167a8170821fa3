import type { Guardian } from '@porchlight/contract/guardians.ts';
import { useId, useRef } from 'react';
import { useConfirm } from '../../ui/confirm-dialog.tsx';
import { type FormState, QuietStatus, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useGuardianActions } from './queries.ts';
import { t } from './texts.ts';

export function GuardianList({ guardians }: { guardians: Guardian[] }) {
  const form = useForm();
  const list = useRef<HTMLDivElement>(null);
  return (
    <div ref={list} className="stack" tabIndex={-1} role="group" aria-label={t.heading}>
      {guardians.length ? (
        <ul className="stack">
          {guardians.map((guardian) => (
            <li key={guardian.uuid}>
              <Row guardian={guardian} form={form} onRemoved={() => list.current?.focus()} />
            </li>
          ))}
        </ul>
      ) : (
        <p>{t.none}</p>
      )}
      <QuietStatus state={form} />
    </div>
  );
}

/** `onRemoved`: its buttons are gone, so the focus needs another place. */
function Row({ guardian, form, onRemoved }: { guardian: Guardian; form: FormState; onRemoved: () => void }) {
  const { uuid, name, email, active } = guardian;
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
    <div className="card row between">
      <div>
        <strong id={nameId}>{name}</strong>
        <br />
        <span className="soft">{email}</span>
        <p className="row">
          <span className={`tag ${active ? 'safe' : 'look'}`}>
            <Icon name={active ? 'tick' : 'wait'} size={18} />
            {active ? t.active : t.pending}
          </span>
          <span className="soft small">{active ? t.activeHint : t.pendingHint}</span>
        </p>
      </div>
      <div className="row">
        <button type="button" className="btn quiet" aria-describedby={nameId} onClick={() => void onResend()}>
          {t.resend}
        </button>
        <button type="button" className="btn danger" title={t.removeTitle(name)} onClick={() => void onRemove()}>
          {t.remove}
        </button>
      </div>
    </div>
  );
}
