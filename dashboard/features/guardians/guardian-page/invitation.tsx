import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { openOffer } from '../../../integrations/push-offer.ts';
import { Form, useForm } from '../../../ui/form.tsx';
import { Illustration } from '../../../ui/illustrations.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { messages } from './invitation-messages.ts';
import { messages as titles } from './messages.ts';
import { usePageActions } from './use-guardian-page.ts';

/** The invitation: who asks, what a guardian does, and two buttons (4.39). */
export function Invitation({ view }: { view: GuardianView }) {
  const { holder_name: holder } = view;
  const form = useForm();
  const actions = usePageActions();
  const accept = () =>
    form.run(async () => {
      if (actions) openOffer(actions.id);
      await actions?.accept();
      return undefined;
    });
  return (
    <>
      <Illustration of="together" />
      <div>
        <h1>{titles.pending.heading(holder)}</h1>
        <p className="lead">{messages.lead(holder)}</p>
      </div>
      <section className="card stack" aria-labelledby="does">
        <h2 id="does">{messages.doesHeading}</h2>
        <ul className="dots">
          {messages.does(holder).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p className="soft">{messages.private(holder)}</p>
      </section>
      <Form state={form} onSubmit={() => void accept()}>
        <div className="row">
          <button type="submit" className="btn big" disabled={form.loading}>
            {messages.accept}
          </button>
          {actions && <ConfirmButton label={messages.decline} big ask={messages.declineAsk(holder)} act={actions.decline} />}
        </div>
      </Form>
    </>
  );
}
