import { limits } from '@porchlight/contract/limits.ts';
import { useEffect, useRef, useState } from 'react';
import { HttpError } from '../../../lib/http.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { Qr } from '../../../ui/qr.tsx';
import { checkedCode, SixDigitsField } from '../../../ui/six-digits.tsx';
import { messages } from './messages.ts';

export interface Setup {
  setup: string;
  secret: string;
  uri: string;
}

interface AuthenticatorSetupProps {
  setup: Setup;
  /** Whether another app is in use until then. */
  replaces: boolean;
  onCode: (code: string) => Promise<void>;
  /** The server no longer takes this setup. */
  onExpired: (error: unknown) => void;
  onCancel: () => void;
}

export function AuthenticatorSetup({ setup, replaces, onCode, onExpired, onCancel }: AuthenticatorSetupProps) {
  const words = messages.app;
  const { open, scan, enter } = words.steps;
  const [code, setCode] = useState('');
  const form = useForm();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => list.current?.focus(), []);
  const submit = () =>
    form.run(async () => {
      await checkedCode(code, (typedCode) =>
        onCode(typedCode).catch((err: unknown) => {
          if (err instanceof HttpError && err.code === 'setup_expired') return onExpired(err);
          // Codes change every 30 seconds, so the next one is typed afresh.
          setCode('');
          throw err;
        }),
      );
      return undefined;
    });
  return (
    <Form state={form} onSubmit={() => void submit()} label={words.heading}>
      {replaces && <p className="note look">{words.replaces}</p>}
      <ol className="sign-in-steps" ref={list} tabIndex={-1}>
        <li>
          <h3>{open.heading}</h3>
          <p>{open.body}</p>
        </li>
        <li>
          <h3>{scan.heading}</h3>
          <Qr text={setup.uri} label={scan.picture} />
          <p>{scan.byHand}</p>
          <div className="row">
            <code className="sign-in-secret">{inFours(setup.secret)}</code>
            <CopyButton text={setup.secret} label={scan.copy} done={scan.copied} ms={limits.copied_on_share} />
          </div>
        </li>
        <li>
          <h3>{enter.heading}</h3>
          <div className="sign-in-code">
            <SixDigitsField label={words.code} value={code} onChange={setCode} problem={form.fields.code} />
          </div>
        </li>
      </ol>
      <div className="row">
        <button type="submit" className="btn" disabled={form.loading}>
          {words.finish}
        </button>
        <button type="button" className="btn quiet" disabled={form.loading} onClick={onCancel}>
          {words.cancel}
        </button>
      </div>
    </Form>
  );
}

/** `ABCDEFGH` → `ABCD EFGH`: easier to read and to type. Apps ignore the spaces. */
const inFours = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';
