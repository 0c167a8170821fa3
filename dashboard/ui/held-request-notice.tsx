import type { Ref } from 'react';
import type { HeldRequestAnswer } from '../lib/held-request.ts';
import { heldRequestMessages as messages } from '../lib/held-request-messages.ts';

/**
 * Why a call waits, until when, and who was asked. The warning comes first, and can take the focus. `polls`: whether this page repeats
 * the call itself. `over`: nobody answered in time, so the reason no longer counts. `headingId`: names the dialog or section.
 */
export function HeldRequestNotice({
  held: answer,
  polls,
  over = false,
  headingId,
  warning,
}: {
  held: HeldRequestAnswer;
  polls: boolean;
  over?: boolean;
  headingId: string;
  warning?: Ref<HTMLParagraphElement>;
}) {
  const { asked, because, by_server } = answer;
  return (
    <>
      <p className="note bad" ref={warning} tabIndex={-1}>
        <strong>{messages.warning}</strong>
      </p>
      <h2 id={headingId}>{messages.heading(asked)}</h2>
      {!over && because && <p>{because}</p>}
      <p>
        <strong>{messages.unchanged}</strong> {!over && (polls || by_server ? messages.atOnce : messages.pressAgain)(asked)}
      </p>
    </>
  );
}
