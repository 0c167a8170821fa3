import { limits } from '@porchlight/contract/limits.ts';
import { useCountdown } from '../../lib/use-countdown.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { messages } from './email-messages.ts';
import { useSendConfirmation } from './queries.ts';

/** Sends the email that confirms an address again, at most once in 60 seconds (P2.3, P2.5); the button says how long it still takes. */
export function ResendButton({ done, label = messages.sendAgain }: { done: string; label?: string }) {
  const [wait, startWait] = useCountdown();
  const form = useForm();
  const send = useSendConfirmation();
  const again = () =>
    form.run(async () => {
      await send();
      startWait(limits.resend_wait / 1000);
      return done;
    });
  return (
    <Form state={form} onSubmit={() => void again()}>
      <button type="submit" className="btn quiet" disabled={wait > 0 || form.loading}>
        {wait > 0 ? messages.sendAgainIn(label, wait) : label}
      </button>
    </Form>
  );
}
