import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { QuietStatus, useForm } from '../../../ui/form.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { messages } from './messages.ts';
import { usePageActions } from './use-guardian-page.ts';

/** Whether the guardian knows a computer that was added lately (P18.2). Nothing about any other. */
export function Known({ of: device, holder }: { of: GuardianView['devices'][number] | undefined; holder: string }) {
  const actions = usePageActions();
  const form = useForm();
  if (!device || device.known === 'unasked') return null;
  const { known: words } = messages;
  const { uuid, name, known } = device;
  if (known === 'asked') {
    return (
      <>
        <p className="soft">{words.ask(holder)}</p>
        {actions && <ConfirmButton label={words.no} ask={words.confirm(name, holder)} act={() => actions.setKnown(uuid, false)} />}
      </>
    );
  }
  const takeBack = () =>
    void form.run(async () => {
      await actions?.setKnown(uuid, true);
      return undefined;
    });
  return (
    <>
      <p className="note look">{known === 'unknown_to_you' ? words.yours : words.others}</p>
      {actions && known === 'unknown_to_you' && (
        <button type="button" className="btn quiet" aria-label={words.yesOf(name)} disabled={form.loading} onClick={takeBack}>
          {words.yes}
        </button>
      )}
      <QuietStatus state={form} />
    </>
  );
}
