import type { Incident } from '@porchlight/contract/incidents.ts';
import { inWords } from '../../lib/dates.ts';
import { deliveryMessage, nameOf } from '../../lib/delivery-messages.ts';
import { Icon } from '../../ui/icons.tsx';
import { messages } from './messages.ts';
import { deliveriesFor, type Reader } from './reader.ts';

/** Who is on it, and who was notified by what, also without success. */
export function WhoKnows({ incident: { on_it, was_me, told }, reader, now }: { incident: Incident; reader: Reader; now: Date }) {
  const { reached, waiting, failed } = deliveryMessage(deliveriesFor(reader, told));
  const { knows } = messages;
  return (
    <section className="card stack" aria-labelledby="knows">
      <h2 id="knows" className="minor">
        {knows.heading}
      </h2>
      {on_it.map(({ by, you, time }) => (
        <p key={by + time} className="incident-line">
          <Icon name="tick" />
          <strong>{knows.onIt(you ? null : by, inWords(new Date(time), now))}</strong>
        </p>
      ))}
      {was_me && <p>{knows.mine(was_me.you ? null : was_me.by, inWords(new Date(was_me.time), now))}</p>}
      {reached && <p>{knows.reached(reached)}</p>}
      {waiting.map((delivery) => (
        <p key={`${delivery.guardian}${delivery.channel}`} className="soft">
          {knows.waiting(nameOf(delivery), knows.by[delivery.channel])}
        </p>
      ))}
      {failed.map((delivery) => (
        <p key={`${delivery.guardian}${delivery.channel}`} className="note look">
          {knows.failed(nameOf(delivery), knows.by[delivery.channel], delivery.reason ?? '')}
        </p>
      ))}
      {on_it.length === 0 && !reached && waiting.length === 0 && <p className="soft">{knows.nobody}</p>}
    </section>
  );
}
