import type { Guardian } from '@porchlight/contract/guardians.ts';
import { useConfirm } from '../../ui/confirm-dialog.tsx';
import { actionCancelled } from '../../ui/confirm-queue.ts';
import { type FormState, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useGuardianActions } from './queries.ts';
import { t } from './texts.ts';

export function GuardianList({ guardians }: { guardians: Guardian[] }) {
  const form = useForm();
  return (
    <>
      {form.error && form.error !== actionCancelled && (
        <p className="note bad" role="alert">
          {form.error}
        </p>
      )}
      <div aria-live="polite">{form.success && <p className="note good">{form.success}</p>}</div>
      {guardians.length ? (
        <ul className="stack">
          {guardians.map((guardian) => (
            <li key={guardian.uuid}>
              <Row guardian={guardian} form={form} />
            </li>
          ))}
        </ul>
      ) : (
        <p>{t.none}</p>
      )}
    </>
  );
}

function Row({ guardian, form }: { guardian: Guardian; form: FormState }) {
  const { uuid, name, email, active } = guardian;
  const ask = useConfirm();
  const { remove, resend } = useGuardianActions();
  const onRemove = () =>
    form.run(async () => {
      await ask({ heading: t.removeAsk.heading, body: t.removeAsk.body(name), confirm: t.remove, danger: true });
      await remove(uuid);
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
        <strong>{name}</strong>
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
        <button type="button" className="btn quiet" onClick={() => void onResend()}>
          {t.resend}
        </button>
        <button type="button" className="btn danger" title={t.removeTitle(name)} onClick={() => void onRemove()}>
          {t.remove}
        </button>
      </div>
    </div>
  );
}
