import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { QuietStatus, useForm } from '../../../ui/form.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { usePageActions } from './use-guardian-page.ts';

const words = {
  ask: (holder: string) => `New in ${holder}’s account.`,
  no: 'I don’t know it',
  confirm: (device: string, holder: string) => ({
    heading: `You don’t know ${device}?`,
    body: `We tell ${holder} and the other guardians. It stays protected, and gives nobody in the account more freedom. You can take this back.`,
    confirm: 'I don’t know it',
  }),
  yours: 'You said you don’t know it.',
  others: 'Another guardian said they don’t know it.',
  yes: 'I know it now',
  yesOf: (device: string) => `I know ${device} now`,
} as const;

/** Whether the guardian knows a computer that was added lately (P18.2). */
export function Known({ of: { uuid, name, known }, holder }: { of: GuardianView['devices'][number]; holder: string }) {
  const actions = usePageActions();
  const form = useForm();
  if (known === 'asked') {
    return (
      <div className="stack">
        <p className="soft">{words.ask(holder)}</p>
        <div>
          {actions && <ConfirmButton label={words.no} ask={words.confirm(name, holder)} act={() => actions.setKnown(uuid, false)} />}
        </div>
      </div>
    );
  }
  const takeBack = () =>
    void form.run(async () => {
      await actions?.setKnown(uuid, true);
      return undefined;
    });
  return (
    <div className="stack">
      <p className="note look">{known === 'unknown_to_you' ? words.yours : words.others}</p>
      {actions && known === 'unknown_to_you' && (
        <div>
          <button type="button" className="btn quiet" aria-label={words.yesOf(name)} disabled={form.loading} onClick={takeBack}>
            {words.yes}
          </button>
        </div>
      )}
      <QuietStatus state={form} />
    </div>
  );
}
