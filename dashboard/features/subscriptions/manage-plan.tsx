import { call } from '../../lib/call.ts';
import { Form } from '../../ui/form.tsx';
import { messages } from './messages.ts';
import { useCheckoutRedirect } from './use-way-out.ts';
import './manage-plan.css';

/** To where the plan is changed, paid and ended (7.18). */
export function ManagePlan() {
  const { form, go } = useCheckoutRedirect();
  return (
    <div className="manage-plan">
      <Form state={form} onSubmit={() => void go(() => call('POST /web/profile/sub/portal'))}>
        <button type="submit" className="btn quiet" disabled={form.loading}>
          {messages.manage}
        </button>
      </Form>
    </div>
  );
}
