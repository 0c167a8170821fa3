import type { Appointment } from '@porchlight/contract/appointments.ts';
import { useEffect, useState } from 'react';
import { inWords } from '../../lib/dates.ts';
import { useNow } from '../../lib/use-now.ts';
import { usePolled } from '../../lib/use-polled.ts';
import { QuietStatus, useForm } from '../../ui/form.tsx';
import { appointmentCalls, onChange } from './calls.ts';
import { messages } from './messages.ts';

const pollMs = 15_000;

/** Who helps on which computer now, with the button that ends it (P15.1). `guardian`: their id, or the holder reads. `device`: only there. */
export function Helping({ guardian = null, device }: { guardian?: string | null; device?: string }) {
  const [calls] = useState(() => appointmentCalls(guardian));
  const { data, refetch } = usePolled(calls.list, pollMs);
  useEffect(() => onChange(() => void refetch()), [refetch]);
  const now = useNow();
  // Another screen may poll less often than an appointment ends.
  const items = (data?.items ?? []).filter((one) => (device === undefined || one.device.uuid === device) && new Date(one.until) > now);
  return (
    <div role="status" className={items.length ? 'stack state-place' : ''}>
      {items.map((one) => (
        <Card key={one.uuid} appointment={one} now={now} end={() => calls.end(one.uuid)} />
      ))}
    </div>
  );
}

function Card({ appointment, now, end }: { appointment: Appointment; now: Date; end: () => Promise<unknown> }) {
  const { by, device, program, until, money_pages } = appointment;
  const form = useForm();
  const title = messages.helping(by, device.name);
  const press = () =>
    form.run(async () => {
      await end();
      return undefined;
    });
  return (
    <section className="note stack" aria-label={title}>
      <p>
        <strong>{title}</strong>
        <br />
        {messages.until(program, inWords(new Date(until), now), money_pages)}
      </p>
      <div className="row">
        <button type="button" className="btn quiet" disabled={form.loading} onClick={() => void press()}>
          {messages.end}
        </button>
      </div>
      {form.error && <QuietStatus state={form} />}
    </section>
  );
}
