import { HttpError } from '../../lib/http.ts';
import { messages } from './messages.ts';
import type { Found, Hit } from './search.ts';

/** The search hits, and why the list may be incomplete (8.11). */
export function Hits({
  found: { hits, suggestion },
  typed,
  programs,
  onChoose,
  onMeant,
}: {
  found: Found;
  typed: string;
  programs: { data: unknown; error: unknown; refetch: () => unknown };
  onChoose: (hit: Hit) => void;
  onMeant: (website: string) => void;
}) {
  const nothing = typed.trim() !== '' && programs.data !== undefined && !hits.length && !suggestion;
  return (
    <>
      {programs.error !== null && (
        <div className="note bad row between" role="alert">
          <p>{notLoaded(programs.error)}</p>
          <button type="button" className="btn quiet" onClick={() => programs.refetch()}>
            {messages.again}
          </button>
        </div>
      )}
      <p role="status" className={nothing ? undefined : 'sr'}>
        {nothing && messages.nothing}
        {hits.length > 0 && messages.found(hits.length)}
        {suggestion && messages.meant(suggestion)}
      </p>
      {suggestion && (
        <button type="button" className="btn quiet" onClick={() => onMeant(suggestion)}>
          {messages.meant(suggestion)}
        </button>
      )}
      {hits.length > 0 && (
        <ul className="hits">
          {hits.map((hit) => (
            <li key={`${hit.type}:${hit.identifier}`}>
              <button type="button" className="hit" disabled={hit.allowed} onClick={() => onChoose(hit)}>
                <strong>{hit.name}</strong>
                <span>{hit.allowed ? messages.already[hit.type](hit.name) : messages.offer[hit.category ?? 'domain']}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The HTTP reason phrase, if any (8.11). */
function notLoaded(error: unknown): string {
  return (error instanceof HttpError && error.status_text) || messages.notLoaded;
}
