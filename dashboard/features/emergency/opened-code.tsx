import type { ShownCode } from '@porchlight/contract/one-time-codes.ts';
import { inWords } from '../../lib/dates.ts';
import { messages } from './messages.ts';

const words = messages.code;

interface OpenedCodeProps {
  shown: ShownCode;
  user: string;
  holder: string;
  now: Date;
  close: () => void;
}

export function OpenedCode({ shown: { code, purpose, device_name, program, until }, user, holder, now, close }: OpenedCodeProps) {
  const isOver = new Date(until) <= now;
  return (
    <>
      <div tabIndex={-1} role="status" className="stack">
        <p className="soft">{words.shown}</p>
        <p className="opened-code">
          {/* Read digit by digit, not as two numbers. */}
          <span className="sr">{code.replace(/\d(?=\d)/g, '$& ')}</span>
          <span aria-hidden="true">{`${code.slice(0, 4)} ${code.slice(4)}`}</span>
        </p>
        <p>
          <strong>{isOver ? words.over : words.works(inWords(new Date(until), now), words.to(purpose, device_name, program))}</strong>
        </p>
        <p>{words.readOut(user, holder)}</p>
      </div>
      <button type="button" className="btn quiet" onClick={close}>
        {words.close}
      </button>
    </>
  );
}
