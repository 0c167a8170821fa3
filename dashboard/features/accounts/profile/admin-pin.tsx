import { limits } from '@porchlight/contract/limits.ts';
import { useTimed } from '../../../lib/use-timed.ts';
import { useConfirm } from '../../../ui/confirm-dialog.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { messages } from './messages.ts';
import { useAdminPin } from './queries.ts';

/** Clauses 2.105 to 2.108. */
export function AdminPin() {
  const { pin, reset } = useAdminPin();
  const ask = useConfirm();
  const form = useForm();
  const [copied, showCopied] = useTimed<true>(limits.pin_copied);
  const onReset = () =>
    form.run(async () => {
      await ask({ ...messages.pin.ask, danger: true });
      await reset();
      return messages.pin.done;
    });
  return (
    <section className="card stack" aria-labelledby="admin-pin">
      <h2 id="admin-pin">{messages.pin.heading}</h2>
      <p>{messages.pin.lead}</p>
      <ul className="dots">
        {messages.pin.uses.map((use) => (
          <li key={use}>{use}</li>
        ))}
      </ul>
      <p className="note look">{messages.pin.never}</p>
      <Form state={form} onSubmit={() => void onReset()} label={messages.pin.heading}>
        <Loading of={pin} height={64}>
          {(value) => <PinBox pin={value} onCopied={() => showCopied(true)} />}
        </Loading>
        {/* Outside of what loads, so that the button below does not move. */}
        <p className="soft" aria-live="polite">
          {copied ? messages.pin.copied : messages.pin.press}
        </p>
        <button type="submit" className="btn danger">
          {messages.pin.reset}
        </button>
      </Form>
    </section>
  );
}

/** The Admin PIN in a read-only field; a click, or Enter, copies it (2.106). */
function PinBox({ pin, onCopied }: { pin: string; onCopied: () => void }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(pin);
      onCopied();
    } catch {
      window.prompt(messages.pin.byHand, pin);
    }
  };
  return (
    <div className="row">
      <button type="button" className="code press" aria-label={messages.pin.box(pin)} onClick={() => void copy()}>
        {pin}
      </button>
    </div>
  );
}
