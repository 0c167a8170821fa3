import { Illustration } from '../../ui/illustrations.tsx';
import { SupportContacts } from '../../ui/support.tsx';
import { paid } from './messages.ts';

/** Route state for a payment that was not confirmed in time (4.21). */
export const latePayment = { payment: 'late' } as const;

export function isLate(state: unknown): boolean {
  return (state as Partial<typeof latePayment> | null)?.payment === 'late';
}

/** Replaces the plans while a payment is unconfirmed, so that nobody pays twice. */
export function LatePayment({ onNotPaid }: { onNotPaid: () => void }) {
  const { heading, lead, support, notPaid } = paid.late;
  return (
    <div className="card read stack">
      <Illustration of="quiet" />
      <div className="stack" role="status">
        <h1>{heading}</h1>
        <p>{lead}</p>
      </div>
      <p>
        {support} <SupportContacts />
      </p>
      <button type="button" className="btn quiet" onClick={onNotPaid}>
        {notPaid}
      </button>
    </div>
  );
}

export function LatePaymentNote() {
  return (
    <div className="note look" role="status">
      <p>
        <strong>{paid.late.heading}</strong>
      </p>
      <p>{paid.late.lead}</p>
    </div>
  );
}
