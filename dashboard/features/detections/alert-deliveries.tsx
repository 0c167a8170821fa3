import type { AlertAnswer, Detection } from '@porchlight/contract/detections.ts';
import { inWords } from '../../lib/dates.ts';
import { deliveryMessage, nameOf } from '../../lib/delivery-messages.ts';
import { useNow } from '../../lib/use-now.ts';
import { Icon } from '../../ui/icons.tsx';
import { messages } from './messages.ts';

interface AlertDeliveriesProps {
  told: NonNullable<Detection['told']>;
  seen: NonNullable<Detection['seen']>;
  answers: AlertAnswer[];
}

/** What people said of it, who said that they take care of it, who was told, and who could not be (P5.4). */
export function AlertDeliveries({ told, seen, answers }: AlertDeliveriesProps) {
  const now = useNow();
  const { reached, waiting, failed } = deliveryMessage(told);
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
          {messages.seenOn(name, inWords(new Date(time), now))}
        </p>
      ))}
      {reached && (
        <p className="soft">
          {messages.told}: {reached}.
        </p>
      )}
      {waiting.map((one) => (
        <p key={`${one.guardian}${one.channel}`} className="soft">
          {capital(messages.waiting(nameOf(one), messages.by[one.channel]))}
        </p>
      ))}
      {failed.map((one) => (
        <p key={`${one.guardian}${one.channel}`} className="note look">
          {capital(messages.notArrived(nameOf(one), messages.by[one.channel], one.reason ?? ''))}
        </p>
      ))}
    </div>
  );
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
