import { createContext, type ReactNode, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type ConfirmQueue, confirmQueue } from './confirm-queue.ts';

const Queue = createContext<ConfirmQueue | null>(null);

/** Usage: `await ask({heading, body})`. */
export function useConfirm(): ConfirmQueue['ask'] {
  const queue = useContext(Queue);
  if (!queue) throw new Error('useConfirm needs a ConfirmProvider above it');
  return queue.ask;
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [queue] = useState(confirmQueue);
  return (
    <Queue value={queue}>
      {children}
      <ConfirmDialog queue={queue} />
    </Queue>
  );
}

/** The dialog is open while the queue is not empty (4.50). */
function ConfirmDialog({ queue }: { queue: ConfirmQueue }) {
  const request = useSyncExternalStore(queue.subscribe, queue.first, queue.first);
  const dialog = useRef<HTMLDialogElement>(null);
  const no = useRef<HTMLButtonElement>(null);
  const id = request?.id;
  const danger = request?.danger;
  // The dialog is reopened for each question, so that it takes the focus and is announced.
  useEffect(() => {
    dialog.current?.close();
    if (id === undefined) return;
    dialog.current?.showModal();
    // The focus starts at Cancel: holding a key down must not confirm.
    if (danger) no.current?.focus();
  }, [id, danger]);
  // Any other way of closing (Escape, the back gesture) cancels, unless the next question has reopened it.
  const onClose = () => {
    if (request && !dialog.current?.open) queue.cancel(request.id);
  };
  return (
    <dialog ref={dialog} aria-labelledby="confirm-heading" aria-describedby="confirm-body" onClose={onClose}>
      {request && (
        <div className="stack" key={request.id}>
          <h2 id="confirm-heading">{request.heading}</h2>
          <p id="confirm-body">{request.body}</p>
          <div className="row">
            <button type="button" className={request.danger ? 'btn danger' : 'btn'} onClick={() => queue.confirm(request.id)}>
              {request.confirm ?? 'Confirm'}
            </button>
            <button ref={no} type="button" className="btn quiet" onClick={() => queue.cancel(request.id)}>
              Cancel
            </button>
          </div>
        </div>
      )}
    </dialog>
  );
}
