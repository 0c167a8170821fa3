import { QuietStatus, useForm } from '../../ui/form.tsx';
import { messages } from './messages.ts';
import { useOwnAnswer } from './queries.ts';

/** The holder no longer wants it: nobody has to answer. */
export function TakeBack({ request, disabled }: { request: string; disabled: boolean }) {
  const { takeBack } = useOwnAnswer(request);
  const form = useForm();
  const press = () =>
    form.run(async () => {
      await takeBack();
      return undefined;
    });
  return (
    <>
      <button type="button" className="btn quiet" disabled={disabled || form.loading} onClick={() => void press()}>
        {messages.takeBack}
      </button>
      {form.error && <QuietStatus state={form} />}
    </>
  );
}
