import type { AlertAnswer, Detection } from '@porchlight/contract/detections.ts';
import { atMoment, inWords } from '../../lib/dates.ts';
import { deliveryMessage, deliveryWords } from '../../lib/delivery-messages.ts';
import { useNow } from '../../lib/use-now.ts';
import { Icon } from '../../ui/icons.tsx';
import { messages } from './messages.ts';

interface AlertDeliveriesProps {
  deliveries: NonNullable<Detection['notified']>;
  seen: NonNullable<Detection['seen']>;
  answers: AlertAnswer[];
  /** It shares an email with others (P15.9). */
  together: boolean;
}

/** Answers, guardians who help, and deliveries, also failed ones (P5.4). */
export function AlertDeliveries({ deliveries, seen, answers, together }: AlertDeliveriesProps) {
  const now = useNow();
  const { reached, waiting, failed } = deliveryMessage(deliveries);
  return (
    <div className="stack" aria-live="polite">
      {answers.map(({ answer, by, you, time }) => (
        <p key={by + answer + time} className="row">
          <Icon name="tick" />
          {messages.answers[answer](you ? null : by, inWords(new Date(time), now))}
        </p>
      ))}
      {seen.map(({ name, time }) => (
        <p key={name + time} className="row">
          <Icon name="tick" />
          {messages.seenOn(name, atMoment(new Date(time), now))}
        </p>
      ))}
      {together && !deliveries.length && <p className="soft">{messages.together}</p>}
      {reached && <p className="soft">{deliveryWords.reached(reached)}</p>}
      {waiting.map((one) => (
        <p key={`${one.guardian}${one.channel}`} className="soft">
          {deliveryWords.waiting(one)}
        </p>
      ))}
      {failed.map((one) => (
        <p key={`${one.guardian}${one.channel}`} className="note look">
          {deliveryWords.failed(one)}
        </p>
      ))}
    </div>
  );
}
