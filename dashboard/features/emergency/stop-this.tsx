import type { GuardianEmergency } from '@porchlight/contract/emergency-stops.ts';
import { mayNotPressWords } from '@porchlight/contract/words/may-answer.ts';
import { useEffect, useRef, useState } from 'react';
import { atMoment, atTime, inWords } from '../../lib/dates.ts';
import { Icon } from '../../ui/icons.tsx';
import type { AnswerButtonPart } from './answer-button-part.ts';
import { messages } from './messages.ts';

interface StopThisProps {
  /** The guardian's id. */
  id: string;
  emergency: GuardianEmergency;
  holder: string;
  now: Date;
  asked: boolean;
  Button: AnswerButtonPart;
  stop: () => Promise<void>;
}

/** *Stop this* (P10.6): a red button, and once it is in force a calm sentence. */
export function StopThis({ id, emergency: { emergency_stop, may_stop }, holder, now, asked, Button, stop }: StopThisProps) {
  const result = useRef<HTMLDivElement>(null);
  // Only a press on this page is certainly the reader's: another guardian may have the same first name.
  const [pressed, setPressed] = useState(false);
  const [askedAtStart] = useState(asked && emergency_stop === null && may_stop.may === 'yes');
  const [instead] = useState(asked && !askedAtStart);
  useEffect(() => {
    if (instead) result.current?.focus();
  }, [instead]);
  const done = () => {
    setPressed(true);
    result.current?.focus();
  };
  return (
    <div className="stack">
      {/* The live region exists from the start, so its text is announced. */}
      <div ref={result} tabIndex={-1} role="status" className={emergency_stop ? 'note good' : ''}>
        {emergency_stop && (
          <>
            <p className="in-force">
              <Icon name="tick" size={24} />
              <strong>{messages.stop.done(pressed ? null : emergency_stop.by, atTime(new Date(emergency_stop.since), now))}</strong>
            </p>
            <p>{messages.stop.until(inWords(new Date(emergency_stop.until), now))}</p>
          </>
        )}
        {!emergency_stop && may_stop.may === 'no' && <p className="soft">{mayNotPressWords(may_stop, (time) => atMoment(time, now))}</p>}
      </div>
      {!emergency_stop && may_stop.may === 'yes' && (
        <div className="stop-this">
          <Button
            id={id}
            label={messages.stop.button}
            kind="danger full"
            big
            opened={askedAtStart}
            ask={messages.stop.ask(holder)}
            answer={stop}
            done={done}
          />
          <p className="soft small">{messages.stop.hint(holder)}</p>
        </div>
      )}
    </div>
  );
}
