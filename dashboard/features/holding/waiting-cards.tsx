import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import { requestSentences } from '@porchlight/contract/words/requests.ts';
import { inWords } from '../../lib/dates.ts';
import { timesInWords } from '../../lib/times-in-words.ts';
import { useNow } from '../../lib/use-now.ts';
import { endingOf, passesNow, repeatWords } from './ending.ts';
import { messages } from './messages.ts';
import { isWaiting, useHeldRequests } from './queries.ts';
import { TakeBack } from './take-back.tsx';

/** What waits for an answer, and how it ended (P15.8). `device`: only what is about this one. `line`: in the row of the device. */
export const WaitingRequests = ({ device, line = false }: { device?: string; line?: boolean }) =>
  line && device !== undefined ? <WaitingLine device={device} /> : <WaitingCards device={device} />;

function WaitingCards({ device }: { device: string | undefined }) {
  const { data = [] } = useHeldRequests();
  const shown = device === undefined ? data : data.filter((request) => request.device === device);
  const cardsOf = (requests: HeldRequest[]) => requests.map((request) => <Card key={request.uuid} request={request} />);
  return (
    <div className={shown.length ? 'stack state-place' : ''}>
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
  const { data = [] } = useHeldRequests();
  const waiting = data.filter((request) => request.device === device && request.state === 'open');
  if (!waiting.length) return null;
  return <p className="soft">{messages.waitingFor(waiting[0]?.asked ?? [])}</p>;
}
