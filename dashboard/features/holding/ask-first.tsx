import type { Holding } from '@porchlight/contract/held-requests.ts';
import { useId, useState } from 'react';
import { Choice } from '../../ui/choice.tsx';
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
      <Choice
        kind="switch"
        name="ask_first"
        label={words.label}
        hint={words.hint}
        checked={saved.ask_first || turningOn}
        onChange={(on) => !form.loading && void choose(on)}
      />
    </Form>
  );
}
