import { useEffect, useRef, useState } from 'react';
import { QuietStatus, useForm } from '../../../ui/form.tsx';

const cancelText = 'Cancel';

/** Confirms an irreversible action. Sharing the app's dialog would make it a separate file for every page of the app. */
export function ConfirmButton({
  label,
  danger = false,
  big = false,
  ask: { heading, body, confirm },
  act,
}: {
  label: string;
  danger?: boolean;
  big?: boolean;
  ask: { heading: string; body: string; confirm: string };
  act: () => Promise<void>;
}) {
  const [open, setOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const no = useRef<HTMLButtonElement>(null);
  const form = useForm();
  useEffect(() => {
    if (!open) return dialog.current?.close();
    dialog.current?.showModal();
    // The focus starts at Cancel: holding a key down must not confirm.
    no.current?.focus();
  }, [open]);
  const confirmAction = () => {
    setOpen(false);
    void form.run(async () => {
      await act();
      return undefined;
    });
  };
  return (
    <>
      <button type="button" className={`btn ${danger ? 'danger' : 'quiet'} ${big ? 'big' : ''}`} onClick={() => setOpen(true)}>
        {label}
      </button>
      {form.error && <QuietStatus state={form} />}
      <dialog ref={dialog} aria-labelledby="ask-heading" aria-describedby="ask-body" onClose={() => setOpen(false)}>
        {open && (
          <div className="stack">
            <h2 id="ask-heading">{heading}</h2>
            <p id="ask-body">{body}</p>
            <div className="row">
              <button type="button" className={danger ? 'btn danger' : 'btn'} onClick={confirmAction}>
                {confirm}
              </button>
              <button ref={no} type="button" className="btn quiet" onClick={() => setOpen(false)}>
                {cancelText}
              </button>
            </div>
          </div>
        )}
      </dialog>
    </>
  );
}
