import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import { endedWords, isAboutProgram } from '@porchlight/contract/words/waiting.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { inWords } from '../../lib/dates.ts';
import { lapseOf } from '../../lib/lapse.ts';
import { mayNotWords } from '../../lib/may-words.ts';
import { callLabel, type PersonAt } from '../../lib/person-messages.ts';
import { AnswerButton } from './answer-button.tsx';
import type { RequestAnswer, RequestCalls } from './calls.ts';
import { sentenceCase } from './event-time.ts';
import { messages } from './messages.ts';
import { reasonOf, wantsOf } from './request-words.ts';

interface RequestProps {
  request: HeldRequest;
  calls: RequestCalls;
  now: Date;
  done: (answer: 'yes' | 'no') => void;
}

/**
 * An open request as a question: call first, then no before yes. `reason`: shows why it waits, which is written for the holder.
 * `follows`: another question above has what to ask. `focused`: the heading takes the focus.
 */
export function RequestQuestion({
  request,
  user,
  calls,
  now,
  done,
  reason,
  follows,
  level = 2,
  focused = false,
}: RequestProps & { user: PersonAt; reason: boolean; follows: boolean; level?: 1 | 2; focused?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [focused]);
  const [wants = '', ...more] = wantsOf(request);
  const Heading = level === 1 ? 'h1' : 'h2';
  const call = user.kind === 'other' ? callLabel(user) : null;
  return (
    <section className="question stack" aria-label={wants}>
      <div>
        <p className="soft">{sentenceCase(inWords(new Date(request.time), now))}</p>
        <Heading ref={heading} tabIndex={-1}>
          {wants.replace(/\.$/, '')}
        </Heading>
        {more.map((one) => (
          <p key={one}>{one}</p>
        ))}
        {reason && <p>{reasonOf(request, now)}</p>}
      </div>
      {call && !follows && user.phone_number && (
        <a className="btn big wide" href={`tel:${user.phone_number}`}>
          {messages.request.callFirst(call)}
        </a>
      )}
      {call && !follows && !user.phone_number && (
        <p>
          <strong>{messages.request.callKnown(call)}</strong>
        </p>
      )}
      {!follows && (
        <p className="card">
          {messages.request.ask}
          <br />
          {messages.request.yesOnly}
        </p>
      )}
      <No request={request} calls={calls} done={done} big />
      {/* One press, since a no can take a yes back, but not the other way round. */}
      {yesesOf(request).map(({ label, answer }) => (
        <AnswerButton
          key={label}
          label={label}
          big
          may={request.mine}
          ask={null}
          proof={calls}
          answer={(code) => calls.answerRequest(request.uuid, answer, code)}
          done={() => done('yes')}
        />
      ))}
      {!follows && <p className="soft">{unansweredOf(request, now)}</p>}
    </section>
  );
}

/** A call passes with the password at last; a program never does without a yes. */
const unansweredOf = ({ cause, passes }: HeldRequest, now: Date): string =>
  isAboutProgram(cause) ? messages.request.staysOff : messages.request.unanswered(inWords(new Date(passes), now));

/** A reader who may not answer reads why once. */
function yesesOf({ may_last, mine }: HeldRequest): { label: string; answer: RequestAnswer }[] {
  if (!may_last || mine.may === 'no') return [{ label: messages.request.yes, answer: { answer: 'yes' } }];
  return [
    { label: messages.request.yesHour, answer: { answer: 'yes' } },
    { label: messages.request.yesAlways, answer: { answer: 'yes', lasts: 'always' } },
  ];
}

/** A request in a list: what became of it, and a no while that still helps. `own`: the reader's own request. */
export function RequestRow({ request, calls, now, done, own = false }: RequestProps & { own?: boolean }): ReactNode {
  const { state, mine, asked, answers } = request;
  // A no to what was done takes back what can be taken back, once.
  const canStop = state === 'open' || state === 'yes' || (state === 'done' && !answers.some(({ answer }) => answer === 'no'));
  return (
    <li className="stack">
      <p>
        <strong>{wantsOf(request).join(' ')}</strong>
        <br />
        <span className="soft">{sentenceCase(inWords(new Date(request.time), now))}</span>
      </p>
      <Answers request={request} now={now} />
      {state === 'open' && asked.length > 0 && <p>{messages.request.asked(asked.join(' and '))}</p>}
      {state === 'open' && mine.may === 'no' && asked.length === 0 && <p className="soft">{mayNotWords(mine, now)}</p>}
      {canStop && <No request={request} calls={calls} done={done} own={own && state === 'open'} />}
    </li>
  );
}

function Answers({ request, now }: { request: HeldRequest; now: Date }) {
  const { answers, lifted, state, until, by_server } = request;
  const ending =
    state === 'yes' && by_server
      ? messages.request.underWay
      : state === 'lapsed'
        ? messages.request.lapsed[lapseOf(request)] + endedWords(request)
        : state === 'open'
          ? unansweredOf(request, now)
          : state === 'undone' || (state === 'no' && isAboutMoney(request))
            ? endedWords(request)
            : messages.request.states[state](inWords(new Date(until), now));
  return (
    <p className="soft">
      {answers.map(({ answer, by, you, time }) => (
        <span key={by + answer + time}>{messages.request.answers[answer](you ? null : by, inWords(new Date(time), now))} </span>
      ))}
      {lifted && `${messages.request.lifted(inWords(new Date(lifted), now))} `}
      {ending}
    </p>
  );
}

/** They rest as long as there is a reason, whatever the answer. */
const isAboutMoney = ({ activities }: HeldRequest) => activities[0]?.kind === 'open_money';

/** A no only strengthens, so that it is offered to every reader. */
function No({ request, calls, done, big = false, own = false }: Omit<RequestProps, 'now'> & { big?: boolean; own?: boolean }) {
  return (
    <AnswerButton
      label={own ? messages.request.takeBack : messages.request.no}
      kind={own ? 'quiet' : 'danger'}
      big={big}
      ask={
        own
          ? null
          : messages.request.noAsk(wantsOf(request).join(' '), isAboutMoney(request) ? endedWords(request) : messages.request.refused)
      }
      proof={calls}
      answer={(code) => calls.answerRequest(request.uuid, { answer: 'no' }, code)}
      done={() => done('no')}
    />
  );
}
