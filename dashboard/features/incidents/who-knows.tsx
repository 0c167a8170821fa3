import type { EscalationView, Incident } from '@porchlight/contract/incidents.ts';
import { nextWords } from '@porchlight/contract/words/incident-events.ts';
import { inWords } from '../../lib/dates.ts';
import { deliveryMessage, deliveryWords } from '../../lib/delivery-messages.ts';
import { Icon } from '../../ui/icons.tsx';
import { eventTime } from './event-time.ts';
import { messages } from './messages.ts';
import { deliveriesByPerson } from './reader.ts';

/** Who is on it, and who was notified by what, also without success. */
export function WhoKnows({
  incident: { state, opened, on_it, account_on_it, was_me, notified, escalation },
  now,
}: {
  incident: Incident;
  now: Date;
}) {
  const { reached, waiting, failed } = deliveryMessage(deliveriesByPerson(notified));
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
      {account_on_it && (
        <p className="from-account">
          {knows.accountOnIt(account_on_it.you ? null : account_on_it.by, inWords(new Date(account_on_it.time), now))}
        </p>
      )}
      {escalation && state === 'open' && <Escalation escalation={escalation} opened={opened} />}
      {was_me && <p>{knows.mine(was_me.you ? null : was_me.by, inWords(new Date(was_me.time), now))}</p>}
      {reached && <p>{deliveryWords.reached(reached)}</p>}
      {waiting.map((delivery) => (
        <p key={`${delivery.guardian}${delivery.channel}`} className="soft">
          {deliveryWords.waiting(delivery)}
        </p>
      ))}
      {failed.map((delivery) => (
        <p key={`${delivery.guardian}${delivery.channel}`} className="note look">
          {deliveryWords.failed(delivery)}
        </p>
      ))}
      {on_it.length === 0 && !reached && waiting.length === 0 && <p className="soft">{deliveryWords.nobody}</p>}
    </section>
  );
}

/** Whether somebody who may has answered, and what happens otherwise (P11.1). */
function Escalation({ escalation: { state, next }, opened }: { escalation: EscalationView; opened: string }) {
  const { knows } = messages;
  if (state === 'answered') return null;
  if (state === 'ended') return <p className="note look">{knows.unanswered}</p>;
  return (
    <p className="incident-line">
      <Icon name="wait" />
      <strong>{knows.running(next && { words: nextWords(next), at: eventTime(next.time, opened) })}</strong>
    </p>
  );
}
