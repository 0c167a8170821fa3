import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { mayNotWords } from '../../lib/may-words.ts';
import { useNow } from '../../lib/use-now.ts';
import { QuietStatus, useForm } from '../../ui/form.tsx';
import { checkedCode } from '../../ui/six-digits.tsx';
import { AnswerDialog, type Given } from './answer-dialog.tsx';
import type { ProofCalls } from './calls.ts';
import { messages } from './messages.ts';
import { atField, firstStep, nextStep, type ProofStep } from './proof.ts';

interface AnswerButtonProps {
  label: string;
  kind?: 'quiet' | 'danger' | 'danger full' | 'main';
  big?: boolean;
  /** The dialog is open from the start, without a press. */
  opened?: boolean;
  may?: MayAnswer;
  /** Null: pressing answers at once, unless a proof is needed. */
  ask: { heading: string; body: string; confirm: string; choices?: ReactNode } | null;
  /** Pressing answers at once anyway. */
  atOnce?: boolean;
  proof: ProofCalls;
  answer: (code?: string) => Promise<unknown>;
  /** Called once the dialog is closed, so that it can move the focus; the button may be gone by then. */
  done: () => void;
}

const yes: MayAnswer = { may: 'yes' };

/** An answer under P10.2: with what proves the reader, or else a sentence in the button's place. */
export function AnswerButton({
  label,
  kind = 'quiet',
  big = false,
  opened = false,
  may = yes,
  ask,
  atOnce = ask === null,
  proof,
  answer,
  done,
}: AnswerButtonProps) {
  const [step, setStep] = useState<ProofStep | null>(opened && ask && may.may !== 'no' ? firstStep(may) : null);
  const button = useRef<HTMLButtonElement>(null);
  const dialogOpen = useRef(false);
  useEffect(() => {
    dialogOpen.current = step !== null;
  }, [step]);
  const form = useForm();
  const now = useNow();
  if (may.may === 'no') return <p className="soft">{mayNotWords(may, now)}</p>;
  const run = ({ own, code }: Given) =>
    form.run(async () => {
      try {
        const given = own ? await own() : null;
        // The browser's dialog may be answered after ours was canceled: then nobody wants this answer anymore.
        if (own && !dialogOpen.current) return undefined;
        if (given) await proof.reauthenticate?.(given);
        await (code === undefined ? answer() : checkedCode(code, answer));
      } catch (err) {
        const needed = nextStep(err, proof.reauthenticate !== null);
        if (!needed || needed === step) throw atField(err);
        setStep(needed);
        return undefined;
      }
      flushSync(() => setStep(null));
      done();
      return undefined;
    });
  const press = () => {
    const first = firstStep(may);
    form.clear();
    if (first === 'confirm' && atOnce) void run({});
    else setStep(first);
  };
  const close = () => {
    flushSync(() => setStep(null));
    button.current?.focus();
  };
  return (
    <>
      <button ref={button} type="button" className={`btn ${kind} ${big ? 'big' : ''}`} disabled={form.loading} onClick={press}>
        {label}
      </button>
      {step === null && form.error && <QuietStatus state={form} />}
      {step && (
        <AnswerDialog
          key={step}
          step={step}
          ask={ask ?? { heading: label, body: '', confirm: messages.proof.go }}
          danger={kind.startsWith('danger')}
          form={form}
          proof={proof}
          run={run}
          close={close}
        />
      )}
    </>
  );
}
