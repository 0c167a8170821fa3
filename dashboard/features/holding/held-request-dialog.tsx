import { type RefObject, useEffect, useRef } from 'react';
import { isOffline } from '../../lib/error-text.ts';
import { useNow } from '../../lib/use-now.ts';
import { HeldRequestNotice } from '../../ui/held-request-notice.tsx';
import { type Ending, endingOf, passesNow, repeatWords } from './ending.ts';
import type { HeldRequestQueue, WaitingCall } from './held-request-queue.ts';
import { messages } from './messages.ts';
import { OwnAnswer } from './own-answer.tsx';
import { PasswordStep } from './password-step.tsx';
import { useHeldRequest, useReadAgain, useReadList } from './queries.ts';
import { TakeBack } from './take-back.tsx';

type Polled = ReturnType<typeof useHeldRequest>;

/**
 * The dialog is open while a call waits for somebody's yes (P10.1). It polls, and repeats the call itself. Closing it leaves the request
 * waiting. `onYes`: announces the yes once the dialog is closed.
 */
export function HeldRequestDialog({
  queue,
  waiting,
  onYes,
}: {
  queue: HeldRequestQueue;
  waiting: WaitingCall | null;
  onYes: (words: string) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const warning = useRef<HTMLParagraphElement>(null);
  const polled = useHeldRequest(waiting?.held.request ?? null);
  const ending = endingOf(polled.data, polled.error, useNow());
  const id = waiting?.id;
  useEffect(() => {
    dialog.current?.close();
    if (id === undefined) return;
    dialog.current?.showModal();
    // The warning is read first, and no key that is still pressed closes the dialog.
    warning.current?.focus();
  }, [id]);
  useRepeatAfterYes(queue, waiting, polled, onYes);
  useReadList(waiting?.held.request ?? null);
  useReadAgain(ending?.done === true);
  const leave = () => {
    if (!waiting || dialog.current?.open) return;
    if (ending) queue.refuse(waiting.id, ending.words, ending.done === true);
    else queue.leave(waiting.id);
    // The repeated call is on its way, and its answer belongs to the form.
    if (queue.first()?.id === waiting.id) dialog.current?.showModal();
  };
  return (
    <dialog ref={dialog} className="held-request" aria-labelledby="held-request-heading" onClose={leave}>
      {waiting && <Content key={waiting.id} {...{ queue, waiting, polled, ending, warning }} onClose={() => dialog.current?.close()} />}
    </dialog>
  );
}

/** Each answer of the server that the call passes repeats it once, until it passes. */
function useRepeatAfterYes(queue: HeldRequestQueue, waiting: WaitingCall | null, polled: Polled, onYes: (words: string) => void) {
  const repeatedFor = useRef(0);
  const { data, dataUpdatedAt } = polled;
  useEffect(() => {
    if (!waiting || waiting.repeating || !data || !repeatWords(data) || repeatedFor.current === dataUpdatedAt) return;
    repeatedFor.current = dataUpdatedAt;
    void queue.repeat(waiting.id).then((settled) => settled && onYes(repeatWords(data) ?? ''));
  });
}

function Content({
  queue,
  waiting,
  polled: { data, error },
  ending,
  warning,
  onClose,
}: {
  queue: HeldRequestQueue;
  waiting: WaitingCall;
  polled: Polled;
  ending: Ending | null;
  warning: RefObject<HTMLParagraphElement | null>;
  onClose: () => void;
}) {
  const now = useNow();
  const passes = passesNow(data, now);
  const repeats = data && repeatWords(data);
  const repeat = async () => {
    if (!(await queue.repeat(waiting.id))) throw new Error(messages.passes.waitsOn);
  };
  return (
    <div className="stack">
      {ending ? (
        <h2 id="held-request-heading">{ending.heading}</h2>
      ) : (
        <HeldRequestNotice held={waiting.held} polls over={passes} headingId="held-request-heading" warning={warning} />
      )}
      {/* One live region for every answer. */}
      <p role="status" className={ending ? undefined : 'soft'}>
        {ending ? ending.words : repeats ? messages.oneMoment(repeats) : passes ? '' : messages.waiting}
      </p>
      {ending?.again && <p>{messages.askAgain(ending.again, now)}</p>}
      {isOffline(error) && !ending && <p className="problem">{messages.unreachable}</p>}
      {!ending && passes && <PasswordStep lead={messages.passes.lead} submit={messages.passes.submit} onEntered={repeat} />}
      {!ending && !passes && data?.state === 'open' && data.mine.may !== 'no' && (
        <OwnAnswer key={data.uuid} request={data.uuid} may={data.mine.may} />
      )}
      <div className="row">
        <button type="button" className="btn quiet" disabled={waiting.repeating} onClick={onClose}>
          {ending ? messages.close : messages.leave}
        </button>
        {!ending && data?.state === 'open' && !passes && <TakeBack request={data.uuid} disabled={waiting.repeating} />}
      </div>
    </div>
  );
}
