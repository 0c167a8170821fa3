import { call } from '../../lib/call.ts';
import { Form } from '../../ui/form.tsx';
import { t } from './messages.ts';
import { useWayOut } from './use-way-out.ts';
import './manage-plan.css';

/** To where the plan is changed, paid and ended (7.18). */
export function ManagePlan() {
  const { form, go } = useWayOut();
  return (
    <div className="manage-plan">
      <Form state={form} onSubmit={() => void go(() => call('POST /web/profile/sub/portal'))}>
        <button type="submit" className="btn quiet" disabled={form.loading}>
          {t.manage}
        </button>
      </Form>
    </div>
  );
}
