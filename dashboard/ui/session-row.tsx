import { Icon } from './icons.tsx';

export interface SessionRowProps {
  browser: string;
  lastUsed: string;
  /** The session of this browser: it has a tag in the place of a button. */
  current: boolean;
  here: string;
  end: string;
  /** The accessible name of the button, which says whose session it ends. */
  endLabel: string;
  onEnd: () => void;
}

/** One browser in a list of those in which a page or an account is open. */
export function SessionRow({ browser, lastUsed, current, here, end, endLabel, onEnd }: SessionRowProps) {
  return (
    <li className="row between">
      <span>
        <strong>{browser}</strong>
        <br />
        <span className="soft">{lastUsed}</span>
      </span>
      {current ? (
        <span className="tag safe">
          <Icon name="tick" size={18} />
          {here}
        </span>
      ) : (
        <button type="button" className="btn quiet" aria-label={endLabel} onClick={onEnd}>
          {end}
        </button>
      )}
    </li>
  );
}
