import { Form } from '../../ui/form.tsx';
import { messages } from './messages.ts';
import { usePortal } from './queries.ts';
import { useCheckoutRedirect } from './use-way-out.ts';
import './manage-plan.css';

/** Clause 7.18. */
export function ManagePlan() {
  const portal = usePortal();
  const { form, go } = useCheckoutRedirect();
  return (
    <div className="manage-plan">
      <Form state={form} onSubmit={() => void go(portal)}>
        <button type="submit" className="btn quiet" disabled={form.loading}>
          {messages.manage}
        </button>
      </Form>
    </div>
  );
}
