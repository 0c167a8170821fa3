import { Form, useForm } from '../../../ui/form.tsx';
import { usePasswordDialog } from '../profile/password-dialog.tsx';
import { messages } from './messages.ts';
import { useNewRecoveryCodes } from './queries.ts';
import type { NewCodes } from './shown-codes.tsx';

/** At this number or fewer, the card advises new ones. */
const FEW_CODES = 3;

interface RecoveryCodesCardProps {
  left: number;
  /** Recovery codes go with a passkey or an authenticator app. */
  possible: boolean;
  onCodes: (codes: NewCodes) => void;
}

export function RecoveryCodesCard({ left, possible, onCodes }: RecoveryCodesCardProps) {
  const words = messages.codes;
  const form = useForm();
  const renewCodes = useNewRecoveryCodes();
  const { withPassword, dialog } = usePasswordDialog();
  const renew = () =>
    form.run(async () => {
      let codes: string[] | null = null;
      await withPassword(async (proof) => {
        codes = await renewCodes(proof);
      }, words.askRenew);
      if (codes) onCodes({ codes, done: words.renewed });
      return undefined;
    });
  return (
    <section className="card stack" aria-labelledby="recovery-codes">
      <h2 id="recovery-codes">{words.heading}</h2>
      <p>{words.lead}</p>
      {possible ? (
        <Form state={form} onSubmit={() => void renew()} label={words.heading}>
          <p className={left <= FEW_CODES ? 'note look' : 'soft'}>
            {words.left(left)} {left <= FEW_CODES && words.few}
          </p>
          <button type="submit" className="btn quiet">
            {words.renew}
          </button>
        </Form>
      ) : (
        <p className="soft">{words.none}</p>
      )}
      {dialog}
    </section>
  );
}
