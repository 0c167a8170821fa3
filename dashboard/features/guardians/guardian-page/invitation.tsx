import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { Form, useForm } from '../../../ui/form.tsx';
import { Drawing } from '../../../ui/illustrations.tsx';
import { AskFirst } from './confirm-button.tsx';
import { t } from './messages.ts';
import { useOwnActions } from './use-guardian-page.ts';

/** Who asks, what a guardian does, and two buttons (4.39). */
export function Invitation({ view }: { view: GuardianView }) {
  const { holder_name: holder } = view;
  const form = useForm();
  const actions = useOwnActions();
  const accept = () =>
    form.run(async () => {
      await actions?.accept();
      return undefined;
    });
  return (
    <>
      <Drawing of="together" />
      <div>
        <h1>{t.pending.heading(holder)}</h1>
        <p className="lead">{t.pending.lead(holder)}</p>
      </div>
      <section className="card stack" aria-labelledby="does">
        <h2 id="does">{t.pending.doesHeading}</h2>
        <ul className="dots">
          {t.pending.does(holder).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p className="soft">{t.pending.private(holder)}</p>
      </section>
      <Form state={form} onSubmit={() => void accept()}>
        <div className="row">
          <button type="submit" className="btn big" disabled={form.loading}>
            {t.pending.accept}
          </button>
          {actions && <AskFirst label={t.pending.decline} big ask={t.pending.declineAsk(holder)} act={actions.decline} />}
        </div>
      </Form>
    </>
  );
}
