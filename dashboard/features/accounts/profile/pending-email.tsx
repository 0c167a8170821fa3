import { useProfile } from '../queries.ts';
import { ResendButton } from '../resend-button.tsx';
import { messages } from './messages.ts';

/** A new address that waits for its confirmation (P2.4). It looks by itself whether the button of the mail was pressed. */
export function PendingEmail({ pending, current }: { pending: string; current: string }) {
  useProfile({ poll: 5000 });
  return (
    <section className="note look stack" aria-labelledby="pending-email">
      <h2 id="pending-email">{messages.pending.heading}</h2>
      <p>{messages.pending.lead(pending, current)}</p>
      <ResendButton done={messages.pending.sent} />
    </section>
  );
}
