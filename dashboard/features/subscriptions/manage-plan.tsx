import { call } from '../../lib/call.ts';
import { leaveFor } from '../../lib/leave-for.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { t } from './texts.ts';
import './manage-plan.css';

/** To where the plan is changed, paid and ended (7.18). */
export function ManagePlan() {
  const form = useForm();
  const submit = () =>
    form.run(async () => {
      await leaveFor(await call('POST /web/profile/sub/portal'));
      return undefined;
    });
  return (
    <div className="manage-plan">
      <Form state={form} onSubmit={() => void submit()}>
        <button type="submit" className="btn quiet" disabled={form.loading}>
          {t.manage}
        </button>
      </Form>
    </div>
  );
}
