import type { Holding } from '@porchlight/contract/incidents.ts';
import { useId, useState } from 'react';
import { useConfirm } from '../../ui/confirm-dialog.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Loading } from '../../ui/loading.tsx';
import { messages } from './messages.ts';
import { useHolding } from './queries.ts';

const words = messages.askFirst;

/** The switch *Ask first* (P10.3): on at one press; switching it off may itself have to wait for somebody's yes. */
export function AskFirst() {
  const { holding, change } = useHolding();
  const headingId = useId();
  return (
    <section className="card stack" aria-labelledby={headingId}>
      <h2 id={headingId}>{words.heading}</h2>
      <Loading of={holding} height={120}>
        {(saved) => <Switch saved={saved} change={change} />}
      </Loading>
    </section>
  );
}

function Switch({ saved, change }: { saved: Holding; change: (to: Holding) => Promise<unknown> }) {
  const form = useForm();
  const ask = useConfirm();
  const id = useId();
  const [turningOn, setTurningOn] = useState(false);
  const choose = (on: boolean) =>
    form.run(async () => {
      if (!on) await ask(words.ask);
      setTurningOn(on);
      // Until the server has agreed to an off, the switch stays on.
      await change({ ask_first: on }).finally(() => setTurningOn(false));
      return on ? words.on : words.off;
    });
  return (
    <Form state={form} onSubmit={() => undefined} label={words.heading}>
      <label className="choice">
        <input
          {...{ type: 'checkbox', role: 'switch' }}
          name="ask_first"
          checked={saved.ask_first || turningOn}
          onChange={(event) => !form.loading && void choose(event.target.checked)}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-hint`}
        />
        <span>
          <strong id={`${id}-label`}>{words.label}</strong>
          <br />
          <span id={`${id}-hint`} className="soft">
            {words.hint}
          </span>
        </span>
      </label>
    </Form>
  );
}
