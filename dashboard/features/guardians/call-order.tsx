import type { Guardian } from '@porchlight/contract/guardians.ts';
import { useEffect, useRef } from 'react';
import { config } from '../../lib/config.ts';
import type { FormState } from '../../ui/form.tsx';
import { messages } from './messages.ts';
import { useGuardianActions } from './queries.ts';

type Step = -1 | 1;

interface CallOrder {
  /** Called first, second and so on; null: the guardian is not called, or there is nothing to order. */
  placeOf(guardian: Guardian): number | null;
  /** How many are called. */
  count: number;
  move(guardian: Guardian, step: Step): void;
}

/** The order in which active guardians are called (P11.1), where this server calls. */
export function useCallOrder(guardians: Guardian[], form: FormState): CallOrder {
  const { order } = useGuardianActions();
  const called = config.calls ? guardians.filter(({ active }) => active) : [];
  const count = called.length;
  const moved = useRef<{ uuid: string; step: Step } | null>(null);
  // A row that moves in the page loses the focus, and its button is gone once it is first or last.
  useEffect(() => {
    if (!moved.current) return;
    const { uuid, step } = moved.current;
    const button = (towards: Step) => document.querySelector<HTMLElement>(`[data-move="${moveId(uuid, towards)}"]`);
    (button(step) ?? button(step === 1 ? -1 : 1))?.focus();
    moved.current = null;
  }, [guardians]);

  return {
    count,
    placeOf: (guardian) => (count > 1 && called.includes(guardian) ? called.indexOf(guardian) : null),
    move(guardian, step) {
      const place = called.indexOf(guardian) + step;
      const other = called[place];
      if (form.loading || !other) return;
      void form.run(async () => {
        moved.current = { uuid: guardian.uuid, step };
        await order(swapped(guardians, guardian, other)).catch((err: unknown) => {
          moved.current = null;
          throw err;
        });
        return messages.calls.moved(guardian.name, place);
      });
    },
  };
}

function swapped(guardians: Guardian[], a: Guardian, b: Guardian): string[] {
  return guardians.map((one) => (one === a ? b : one === b ? a : one).uuid);
}

const moveId = (uuid: string, step: Step) => `${uuid} ${step}`;

export function CallPlace({ guardian, order }: { guardian: Guardian; order: CallOrder }) {
  const place = order.placeOf(guardian);
  if (place === null) return null;
  const { name, uuid } = guardian;
  const { up, upOf, down, downOf } = messages.calls;
  const button = (step: Step, label: string, fullLabel: string) => (
    <button
      type="button"
      className="btn quiet"
      aria-label={fullLabel}
      data-move={moveId(uuid, step)}
      onClick={() => order.move(guardian, step)}
    >
      {label}
    </button>
  );
  return (
    <div className="row">
      <span>{messages.calls.place(place)}</span>
      {place > 0 && button(-1, up, upOf(name))}
      {place < order.count - 1 && button(1, down, downOf(name))}
    </div>
  );
}
