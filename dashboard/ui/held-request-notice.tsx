import type { Ref } from 'react';
import type { HeldRequestAnswer } from '../lib/held-request.ts';
import { heldRequestMessages as messages } from '../lib/held-request-messages.ts';
import { useNow } from '../lib/use-now.ts';

/**
 * Why a call waits, who was asked, and until when. The warning comes first, and can take the focus. `polls`: whether this page repeats
 * the call itself. `headingId`: names the dialog or section.
 */
export function HeldRequestNotice({
  held: answer,
  polls,
  headingId,
  warning,
}: {
  held: HeldRequestAnswer;
  polls: boolean;
  headingId: string;
  warning?: Ref<HTMLParagraphElement>;
}) {
  const now = useNow();
  const { asked, until, because } = answer;
  return (
    <>
      <p className="note bad" ref={warning} tabIndex={-1}>
        <strong>{messages.warning}</strong>
      </p>
      <h2 id={headingId}>{messages.heading(asked)}</h2>
      {because && <p>{because}</p>}
      <p>
        <strong>{messages.unchanged}</strong> {(polls ? messages.atOnce : messages.pressAgain)(asked)}
      </p>
      <p className="soft">{(polls ? messages.unanswered : messages.unansweredElsewhere)(until, now)}</p>
    </>
  );
}
