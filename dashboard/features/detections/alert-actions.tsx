import type { AlertAnswer, Detection } from '@porchlight/contract/detections.ts';
import { useRef, useState } from 'react';
import { QuietStatus, useForm } from '../../ui/form.tsx';
import { messages } from './messages.ts';
import { useAlertActions } from './queries.ts';

export function AlertActions({ item }: { item: Detection }) {
  const { answer, callWrong, openSite } = useAlertActions(item);
  const [isOpened, setOpened] = useState(false);
  const form = useForm();
  const resultRef = useRef<HTMLParagraphElement>(null);
  const ownAnswers = new Set(item.answers.filter(({ you }) => you).map((one) => one.answer));
  const press = (action: () => Promise<unknown>) =>
    form.run(async () => {
      await action();
      resultRef.current?.focus();
      return undefined;
    });
  const button = (answerKind: AlertAnswer['answer']) =>
    !ownAnswers.has(answerKind) && (
      <button type="button" className="btn quiet" disabled={form.loading} onClick={() => void press(() => answer(answerKind))}>
        {messages.answer[answerKind]}
      </button>
    );
  // A site of a remote-control program is allowed on the allow list, which asks about the caller first.
  const canOpen = item.wrong && item.info.site && item.info.blocked && item.info.category === 'ScamWebsite' && !isOpened;
  const thanksText = [
    ...(ownAnswers.size ? [messages.thanks.answered] : []),
    ...(item.wrong ? [messages.thanks.wrong] : []),
    ...(isOpened ? [messages.thanks.opened(item.info.name, item.device_name)] : []),
  ].join(' ');
  return (
    <div className="stack no-print">
      {ownAnswers.size === 0 && <p className="soft">{messages.beforeAnswer}</p>}
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
        {canOpen && (
          <button
            type="button"
            className="btn quiet"
            disabled={form.loading}
            onClick={() =>
              void press(async () => {
                await openSite();
                setOpened(true);
              })
            }
          >
            {messages.openSite(item.info.name, item.device_name)}
          </button>
        )}
      </div>
      <p ref={resultRef} tabIndex={-1} role="status" className={thanksText ? 'note good' : 'sr'}>
        {thanksText}
      </p>
      {form.error && <QuietStatus state={form} />}
    </div>
  );
}
