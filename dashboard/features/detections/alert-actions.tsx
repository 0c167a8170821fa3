import type { AlertAnswer, Detection } from '@porchlight/contract/detections.ts';
import { useRef } from 'react';
import { QuietStatus, useForm } from '../../ui/form.tsx';
import { messages } from './messages.ts';
import { useAlertActions } from './queries.ts';

/** What the holder says of an alert, the report for the bank and the police, and that it should not have been one. */
export function AlertActions({ item }: { item: Detection }) {
  const { answer, callWrong } = useAlertActions(item.uuid);
  const form = useForm();
  const said = useRef<HTMLParagraphElement>(null);
  const mine = new Set(item.answers.filter(({ you }) => you).map((one) => one.answer));
  const press = (work: () => Promise<unknown>) =>
    form.run(async () => {
      await work();
      // The pressed button is gone, so the focus goes to the message in its place.
      said.current?.focus();
      return undefined;
    });
  const button = (what: AlertAnswer['answer']) =>
    !mine.has(what) && (
      <button type="button" className="btn quiet" disabled={form.loading} onClick={() => void press(() => answer(what))}>
        {messages.answer[what]}
      </button>
    );
  const words = [...(mine.size ? [messages.thanks.answered] : []), ...(item.wrong ? [messages.thanks.wrong] : [])].join(' ');
  return (
    <div className="stack no-print">
      {mine.size === 0 && <p className="soft">{messages.beforeAnswer}</p>}
      <div className="row">
        {button('mine')}
        {button('sorted')}
        <button type="button" className="btn quiet" onClick={() => window.print()}>
          {messages.print}
        </button>
        {!item.wrong && (
          <button type="button" className="linklike" disabled={form.loading} onClick={() => void press(callWrong)}>
            {messages.wrong}
          </button>
        )}
      </div>
      <p ref={said} tabIndex={-1} role="status" className={words ? 'note good' : 'sr'}>
        {words}
      </p>
      {form.error && <QuietStatus state={form} />}
    </div>
  );
}
