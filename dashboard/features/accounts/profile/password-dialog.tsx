import type { HolderProof } from '@porchlight/contract/sign-in-methods.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useOwnPasskey } from '../../../integrations/passkeys.ts';
import { cancelledWords, FormError } from '../../../lib/error-text.ts';
import { HttpError } from '../../../lib/http.ts';
import { Form, useForm } from '../../../ui/form.tsx';
import { PasskeyButton } from '../../../ui/passkey-button.tsx';
import { PasswordField } from '../password-field.tsx';
import { messages } from './messages.ts';
import '../accounts.css';

type Attempt = (proof: HolderProof) => Promise<unknown>;

/** Why the password is asked. */
interface AskWords {
  heading: string;
  body: string;
  /** The button; *Confirm* without it. */
  confirm?: string;
}

interface Request {
  attempt: Attempt;
  words: AskWords;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** The attempt may be made again in the same dialog. */
const isWrongProof = (error: unknown) => error instanceof HttpError && ['password_wrong', 'passkey_wrong'].includes(error.code ?? '');

/**
 * Asks for the password before a change (4.28), or for a passkey (P13.1): `await withPassword((proof) => …)` resolves once an attempt succeeds.
 * It rejects with 'Action Cancelled' or the attempt's error; after a wrong password the dialog stays open.
 */
export function usePasswordDialog(): { withPassword: (attempt: Attempt, words?: AskWords) => Promise<void>; dialog: ReactNode } {
  const [request, setRequest] = useState<Request | null>(null);
  return {
    withPassword: (attempt, words = messages.ask) =>
      new Promise<void>((resolve, reject) => setRequest({ attempt, words, resolve, reject })),
    dialog: request && <PasswordDialog request={request} onClose={() => setRequest((now) => (now === request ? null : now))} />,
  };
}

function PasswordDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const form = useForm();
  const passkey = useOwnPasskey();
  const { words } = request;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  // The close event arrives late: the next dialog may be open by then, and must keep its focus.
  const settledRef = useRef(false);
  const close = (settle: () => void) => {
    settledRef.current = true;
    // Closing before unmounting makes the browser return the focus to the opener.
    dialog.current?.close();
    onClose();
    settle();
  };
  const cancel = () => {
    if (!form.loading) close(() => request.reject(cancelledWords));
  };
  const submit = (prove: () => Promise<HolderProof>) =>
    form.run(async () => {
      const proof = await prove();
      try {
        await request.attempt(proof);
      } catch (err) {
        if (isWrongProof(err)) throw err;
        close(() => request.reject(err));
        return undefined;
      }
      close(request.resolve);
      return undefined;
    });
  const typedPassword = async () => {
    if (!password.trim()) throw new FormError({ password: messages.ask.blank });
    // The field is cleared after failed attempts too (4.29).
    setPassword('');
    return { current_password: password };
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="password-dialog-heading"
      onCancel={(event) => {
        event.preventDefault();
        cancel();
      }}
      // Browsers honor `preventDefault` on a dialog's cancel only once.
      onClose={() => form.loading && !settledRef.current && dialog.current?.showModal()}
    >
      <div className="stack">
        <h2 id="password-dialog-heading">{words.heading}</h2>
        <p>{words.body}</p>
        <Form state={form} onSubmit={() => void submit(typedPassword)} label={words.heading}>
          <PasswordField
            label={messages.ask.password}
            name="current_password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            problem={form.fields.password}
          />
          <div className="row">
            <button type="submit" className="btn" disabled={form.loading}>
              {words.confirm ?? messages.ask.confirm}
            </button>
            {passkey && <PasskeyButton disabled={form.loading} onPress={() => void submit(async () => ({ passkey: await passkey() }))} />}
            <button type="button" className="btn quiet" disabled={form.loading} onClick={cancel}>
              {messages.ask.cancel}
            </button>
          </div>
        </Form>
      </div>
    </dialog>
  );
}
