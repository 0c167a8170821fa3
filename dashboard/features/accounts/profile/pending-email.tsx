import { useProfile } from '../queries.ts';
import { ResendButton } from '../resend-button.tsx';
import { messages } from './messages.ts';

/** Shows a new address until its confirmation, for which it polls (P2.4). */
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
