import { limits } from '@porchlight/contract/limits.ts';
import { useCountdown } from '../../lib/use-countdown.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { messages } from './email-messages.ts';
import { useSendConfirmation } from './queries.ts';

/** Resends at most once in 60 seconds (P2.3, P2.5). */
export function ResendButton({ done: successText, label = messages.sendAgain }: { done: string; label?: string }) {
  const [waitSeconds, startWait] = useCountdown();
  const form = useForm();
  const send = useSendConfirmation();
  const resend = () =>
    form.run(async () => {
      await send();
      startWait(limits.resend_wait / 1000);
      return successText;
    });
  return (
    <Form state={form} onSubmit={() => void resend()}>
      <button type="submit" className="btn quiet" disabled={waitSeconds > 0 || form.loading}>
        {waitSeconds > 0 ? messages.sendAgainIn(label, waitSeconds) : label}
      </button>
    </Form>
  );
}
