import type { HowItWent } from '@porchlight/contract/incident-events.ts';
import type { Incident } from '@porchlight/contract/incidents.ts';
import { openerSentence } from '@porchlight/contract/words/openers.ts';
import { type ReactNode, useRef, useState } from 'react';
import { inWords } from '../../lib/dates.ts';
import { useNow } from '../../lib/use-now.ts';
import { useTitle } from '../../lib/use-title.ts';
import { QuietStatus, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Answers, MoreAnswers } from './answers.tsx';
import type { AnswerGiven, IncidentAnswer, IncidentCalls } from './calls.ts';
import { sentenceCase } from './event-time.ts';
import { messages } from './messages.ts';
import { type Reader, userFor } from './reader.ts';
import { RequestQuestion, RequestRow } from './request-question.tsx';
import { Steps } from './steps.tsx';
import { TimeLine } from './time-line.tsx';
import { WhoKnows } from './who-knows.tsx';
import './incidents.css';

interface IncidentViewProps {
  incident: Incident;
  reader: Reader;
  calls: IncidentCalls;
  /** Shows the answer of a call; undefined loads the incident again. */
  show: (incident?: Incident) => Promise<void>;
  printLink: ReactNode;
  /** Of a guardian: what they can do at once. */
  emergency?: ReactNode;
  alertLink: ((uuid: string) => ReactNode) | null;
}

/** The page of an incident, the same for the holder and the guardians (P9.3). */
export function IncidentView({ incident, reader, calls, show, printLink, emergency, alertLink }: IncidentViewProps) {
  const now = useNow();
  const [thanks, setThanks] = useState('');
  const result = useRef<HTMLParagraphElement>(null);
  const { device, state, requests } = incident;
  const user = userFor(reader, device);
  useTitle(messages.title(device.name));
  const thank = (text: string) => {
    setThanks(text);
    result.current?.focus();
  };
  const isOpen = useRef(true);
  const answer = async (kind: IncidentAnswer, given: AnswerGiven) => {
    const answered = await calls.answer(kind, given);
    isOpen.current = answered.state === 'open';
    await show(answered);
  };
  const how = async (kind: HowItWent) => {
    await show(await calls.how(kind));
    thank(kind === 'lost_money' ? messages.how.lost : messages.how.thanks);
  };
  const answered = async (kind: 'yes' | 'no') => {
    await show();
    thank(messages.request.thanks[kind]);
  };
  const answersProps = {
    incident,
    reader,
    user,
    calls,
    answer,
    // A holder without guardians ends it an hour later.
    thank: (kind: IncidentAnswer) => thank(messages.answers.thanks[kind === 'over' && isOpen.current ? 'overAsked' : kind]),
    now,
  };
  const questions = requests.filter((request) => request.state === 'open' && request.mine.may !== 'no');
  const others = requests.filter((request) => !questions.includes(request));
  const request = { calls, now, done: (kind: 'yes' | 'no') => void answered(kind) };
  const steps = <Steps key="steps" incident={incident} user={user} tick={async (step, done) => show(await calls.tick(step, done))} />;
  const timeLine = <TimeLine key="time-line" incident={incident} alertLink={alertLink} />;
  return (
    <article className="incident stack-l">
      <div>
        <h1>{openerSentence(incident).replace(/\.$/, '')}</h1>
        <p className="incident-line">
          <span className="soft">{sentenceCase(inWords(new Date(incident.opened), now))}</span>
          <span className={`tag ${state === 'open' ? 'look' : 'safe'}`}>
            <Icon name={state === 'open' && !incident.stopped ? 'wait' : 'tick'} size={18} />
            {state === 'open' && incident.stopped ? messages.stopped : messages.state[state]}
          </span>
        </p>
      </div>
      {/* The live region exists from the start, so its text is announced. */}
      <p ref={result} tabIndex={-1} role="status" className={thanks ? 'note good' : 'sr'}>
        {thanks}
      </p>
      {incident.asks_how && <How answer={how} />}
      {questions.map((one, i) => (
        <RequestQuestion key={one.uuid} request={one} user={user} reason={reader.kind === 'holder'} follows={i > 0} {...request} />
      ))}
      <Answers {...answersProps} asks={questions.length > 0} />
      {emergency}
      <div className="incident-columns">
        <div className="stack-l">
          {/* What to do is urgent only while the incident is open. */}
          {state === 'open' ? [steps, timeLine] : [timeLine, steps]}
        </div>
        <div className="stack-l">
          <WhoKnows incident={incident} now={now} />
          {others.length > 0 && (
            <section className="card stack" aria-labelledby="requests">
              <h2 id="requests" className="minor">
                {messages.request.heading}
              </h2>
              <ul className="stack-l">
                {others.map((one) => (
                  <RequestRow key={one.uuid} request={one} own={reader.kind === 'holder' && user.kind !== 'other'} {...request} />
                ))}
              </ul>
            </section>
          )}
          <MoreAnswers {...answersProps} />
          <p>{printLink}</p>
        </div>
      </div>
    </article>
  );
}

/** *How did it go?*, asked once, the day after (P9.2). */
function How({ answer }: { answer: (how: HowItWent) => Promise<void> }) {
  const form = useForm();
  const press = (how: HowItWent) =>
    form.run(async () => {
      await answer(how);
      return undefined;
    });
  return (
    <section className="card stack" aria-labelledby="how">
      <h2 id="how" className="minor">
        {messages.how.heading}
      </h2>
      <div className="row">
        {(['fine', 'helped', 'lost_money'] as const).map((how) => (
          <button key={how} type="button" className="btn quiet" disabled={form.loading} onClick={() => void press(how)}>
            {messages.how.answers[how]}
          </button>
        ))}
      </div>
      {form.error && <QuietStatus state={form} />}
    </section>
  );
}
