import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import { requestSentences } from '@porchlight/contract/words/requests.ts';
import { inWords } from '../../lib/dates.ts';
import { timesInWords } from '../../lib/times-in-words.ts';
import { useNow } from '../../lib/use-now.ts';
import { endingOf, passesNow, repeatWords } from './ending.ts';
import { messages } from './messages.ts';
import { isWaiting, useHeldRequests } from './queries.ts';
import { TakeBack } from './take-back.tsx';

interface WaitingProps {
  /** Only what is about this device. */
  device?: string;
  /** In the row of the device. */
  line?: boolean;
  /** The page has presses that can weaken protection: whether a further one would wait (P15.10). */
  before?: boolean;
}

/** What waits for an answer, and how it ended (P15.8). */
export const WaitingRequests = ({ line = false, ...of }: WaitingProps) =>
  line && of.device !== undefined ? <WaitingLine device={of.device} /> : <WaitingCards {...of} />;

function WaitingCards({ device, before = false }: WaitingProps) {
  const { data: { items: data = [], next_change: next = null } = {} } = useHeldRequests();
  const shown = device === undefined ? data : data.filter((request) => request.device === device);
  const says = before && next && !(device !== undefined && next.except.includes(device)) ? next : null;
  const cardsOf = (requests: HeldRequest[]) => requests.map((request) => <Card key={request.uuid} request={request} />);
  return (
    <div className={shown.length || says ? 'stack state-place' : ''}>
      {says && <p className="note look">{messages.nextChange(says)}</p>}
      {cardsOf(shown.filter(isWaiting))}
      {/* The live region exists from the start, so that an end is announced, and only that. */}
      <div role="status" className="stack">
        {cardsOf(shown.filter((request) => !isWaiting(request)))}
      </div>
    </div>
  );
}

function Card({ request }: { request: HeldRequest }) {
  const now = useNow();
  const ending = endingOf(request, null, now);
  const wants = requestSentences(request, timesInWords(new Date(request.time))).join(' ');
  return (
    <section className={isWaiting(request) ? 'note look stack' : 'note stack'} aria-label={wants}>
      <p>
        <strong>{ending ? ending.heading : messages.waitingFor(request.asked)}</strong>
        <br />
        {wants} {messages.askedAt(inWords(new Date(request.time), now))}
      </p>
      <p>{ending?.words ?? repeatWords(request) ?? messages.stillOpen(request, passesNow(request, now))}</p>
      {request.state === 'open' && (
        <div className="row">
          <TakeBack request={request.uuid} disabled={false} />
        </div>
      )}
    </section>
  );
}

/** In the row of a device: what waits there. */
function WaitingLine({ device }: { device: string }) {
  const data = useHeldRequests().data?.items ?? [];
  const waiting = data.filter((request) => request.device === device && request.state === 'open');
  if (!waiting.length) return null;
  return <p className="soft">{messages.waitingFor(waiting[0]?.asked ?? [])}</p>;
}
