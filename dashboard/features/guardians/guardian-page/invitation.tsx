import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { openOffer } from '../../../integrations/push-offer.ts';
import { Form, useForm } from '../../../ui/form.tsx';
import { Illustration } from '../../../ui/illustrations.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { messages as titles } from './messages.ts';
import { usePageActions } from './use-guardian-page.ts';

const messages = {
  lead: (holder: string) => `You are someone ${holder} trusts. It takes one press, and costs nothing.`,
  doesHeading: 'What a guardian does',
  does: (holder: string) => [
    `When a scammer tries to get into ${holder}’s computer, we stop it, and write to you at once.`,
    `You call ${holder}. We tell you what to ask, and what to say.`,
    'You can stop at any time, with one button on this page.',
  ],
  private: (holder: string) =>
    `You never see what ${holder} does on the computer, the PIN or the bills. ${holder} sees when you look here.`,
  accept: 'I will look out',
  decline: 'No, thank you',
  declineAsk: (holder: string) => ({
    heading: 'Say no?',
    body: `We tell ${holder} that you cannot do it. ${holder} can ask you again.`,
    confirm: 'Say no',
  }),
} as const;

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
        <h1>{titles.pending(holder)}</h1>
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
