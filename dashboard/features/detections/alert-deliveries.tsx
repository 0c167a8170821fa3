import type { AlertAnswer, Detection } from '@porchlight/contract/detections.ts';
import { inWords } from '../../lib/dates.ts';
import { nameOf, toldWords } from '../../lib/delivery-messages.ts';
import { useNow } from '../../lib/use-now.ts';
import { Icon } from '../../ui/icons.tsx';
import { t } from './messages.ts';

interface AlertToldProps {
  told: NonNullable<Detection['told']>;
  seen: NonNullable<Detection['seen']>;
  answers: AlertAnswer[];
}

/** What people said of it, who said that they take care of it, who was told, and who could not be (P5.4). */
export function AlertTold({ told, seen, answers }: AlertToldProps) {
  const now = useNow();
  const { reached, waiting, failed } = toldWords(told);
  return (
    <div className="stack" aria-live="polite">
      {answers.map(({ answer, by, you, time }) => (
        <p key={by + answer + time} className="row">
          <Icon name="tick" />
          {t.answers[answer](you ? null : by, inWords(new Date(time), now))}
        </p>
      ))}
      {seen.map(({ name, time }) => (
        <p key={name + time} className="row">
          <Icon name="tick" />
          {t.seenOn(name, inWords(new Date(time), now))}
        </p>
      ))}
      {reached && (
        <p className="soft">
          {t.told}: {reached}.
        </p>
      )}
      {waiting.map((one) => (
        <p key={`${one.guardian}${one.channel}`} className="soft">
          {capital(t.waiting(nameOf(one), t.by[one.channel]))}
        </p>
      ))}
      {failed.map((one) => (
        <p key={`${one.guardian}${one.channel}`} className="note look">
          {capital(t.notArrived(nameOf(one), t.by[one.channel], one.reason ?? ''))}
        </p>
      ))}
    </div>
  );
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
