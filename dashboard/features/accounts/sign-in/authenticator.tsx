import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { inWords } from '../../../lib/dates.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Form, useForm } from '../../../ui/form.tsx';
import { usePasswordDialog } from '../profile/password-dialog.tsx';
import { AuthenticatorSetup, type Setup } from './authenticator-setup.tsx';
import { messages } from './messages.ts';
import { useAuthenticatorCalls } from './queries.ts';
import type { NewCodes } from './shown-codes.tsx';

/** `since`: when the app was set up; null without one. */
export function Authenticator({ since, onCodes }: { since: string | null; onCodes: (codes: NewCodes) => void }) {
  const words = messages.app;
  const now = useNow();
  const form = useForm();
  const heading = useRef<HTMLHeadingElement>(null);
  const [setup, setSetup] = useState<Setup | null>(null);
  const { begin, finish, remove } = useAuthenticatorCalls();
  const { withPassword, dialog } = usePasswordDialog();
  const start = () =>
    form.run(async () => {
      await withPassword(async (proof) => setSetup(await begin(proof)), words.askStart);
      return undefined;
    });
  const close = () => {
    flushSync(() => setSetup(null));
    heading.current?.focus();
  };
  /** Ends the setup, finished or expired; the card shows the result. */
  const end = (result: () => Promise<string>) => {
    close();
    void form.run(result);
  };
  const onCode = async ({ setup: begun }: Setup, code: string) => {
    const codes = await finish({ setup: begun, code });
    if (codes) onCodes({ codes, done: words.done });
    else end(async () => words.done);
  };
  const onRemove = () =>
    form.run(async () => {
      await withPassword((proof) => remove(proof), words.askRemove);
      heading.current?.focus();
      return words.removed;
    });
  return (
    <section className="card stack" aria-labelledby="authenticator">
      <h2 id="authenticator" ref={heading} tabIndex={-1}>
        {words.heading}
      </h2>
      <p>{words.lead}</p>
      {setup ? (
        <AuthenticatorSetup
          setup={setup}
          replaces={since !== null}
          onCode={(code) => onCode(setup, code)}
          onExpired={(err) => end(() => Promise.reject(err))}
          onCancel={close}
        />
      ) : (
        <Form state={form} onSubmit={() => void start()} label={words.heading}>
          {since && <p className="soft">{words.since(inWords(new Date(since), now))}</p>}
          <div className="row">
            <button type="submit" className={since ? 'btn quiet' : 'btn'}>
              {since ? words.startAgain : words.start}
            </button>
            {since && (
              <button
                type="button"
                className="btn quiet"
                aria-label={words.removeLabel}
                // Not disabled: it gets the focus back when its dialog closes.
                onClick={() => form.loading || void onRemove()}
              >
                {words.remove}
              </button>
            )}
          </div>
        </Form>
      )}
      {dialog}
    </section>
  );
}
