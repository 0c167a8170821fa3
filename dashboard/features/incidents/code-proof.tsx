import { useForm } from '../../ui/form.tsx';
import { checkedCode } from '../../ui/six-digits.tsx';
import { AnswerDialog } from './answer-dialog.tsx';
import { guardianRequestCalls } from './calls.ts';
import { messages } from './messages.ts';

interface CodeProofProps {
  /** The guardian's id. */
  id: string;
  /** Why a code is needed, the server's sentence. */
  why: string;
  act: (code: string) => Promise<void>;
  close: () => void;
}

/** Asks a guardian beside a computer of the account for a code, before they leave or switch a channel off (P10.2). */
export function CodeProof({ id, why, act, close }: CodeProofProps) {
  const form = useForm();
  const run = ({ code = '' }: { code?: string }) =>
    form.run(async () => {
      await checkedCode(code, act);
      return undefined;
    });
  const ask = { heading: messages.proof.heading, body: why, confirm: messages.proof.go };
  return <AnswerDialog step="code" ask={ask} danger={false} form={form} proof={guardianRequestCalls(id)} run={run} close={close} />;
}
