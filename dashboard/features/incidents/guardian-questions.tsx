import type { GuardianView } from '@porchlight/contract/guardians.ts';
import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import { openerSentence } from '@porchlight/contract/words/openers.ts';
import { useRef, useState } from 'react';
import { inWords } from '../../lib/dates.ts';
import { type PersonAt, personAt } from '../../lib/person-messages.ts';
import { useNow } from '../../lib/use-now.ts';
import { useTitle } from '../../lib/use-title.ts';
import { guardianRequestCalls } from './calls.ts';
import { sentenceCase } from './event-time.ts';
import { messages } from './messages.ts';
import { questionsOf } from './questions.ts';
import { RequestQuestion, RequestRow } from './request-question.tsx';
import { wantsOf } from './request-words.ts';
import './incidents.css';

interface GuardianQuestionsProps {
  /** The guardian's id. */
  id: string;
  view: GuardianView;
  /** The request that the guardian came for, by a link in an email or text. */
  wanted: string | null;
  reload: () => Promise<void>;
}

/** The questions at the top of a guardian's page, those that they came for first, and the incidents that are open. */
export function GuardianQuestions({ id, view, wanted, reload }: GuardianQuestionsProps) {
  const now = useNow();
  const [thanks, setThanks] = useState('');
  const result = useRef<HTMLParagraphElement>(null);
  const calls = guardianRequestCalls(id);
  const { open, answered, missing } = questionsOf(view.requests, wanted);
  useTitle(open[0] && wantsOf(open[0])[0]?.replace(/\.$/, ''));
  const done = async (answer: 'yes' | 'no') => {
    await reload();
    setThanks(messages.request.thanks[answer]);
    result.current?.focus();
  };
  const request = { calls, now, done: (answer: 'yes' | 'no') => void done(answer) };
  return (
    <div className="incident stack-l">
      {/* The live region exists from the start, so its text is announced. */}
      <p ref={result} tabIndex={-1} role="status" className={thanks || missing ? 'note good' : 'sr'}>
        {thanks || (missing && messages.request.gone)}
      </p>
      {open.map((one, i) => (
        <RequestQuestion
          key={one.uuid}
          request={one}
          user={userOf(one, view)}
          reason={false}
          follows={i > 0}
          level={i === 0 ? 1 : 2}
          focused={one.uuid === wanted}
          {...request}
        />
      ))}
      {answered.length > 0 && (
        <section className="card stack" aria-labelledby="answered">
          <h2 id="answered" className="minor">
            {messages.request.answered}
          </h2>
          <ul className="stack-l">
            {answered.map((one) => (
              <RequestRow key={one.uuid} request={one} {...request} />
            ))}
          </ul>
        </section>
      )}
      {view.incidents
        .filter(({ state }) => state === 'open')
        .map((incident) => ({ ...incident, sentence: openerSentence(incident) }))
        .map(({ uuid, sentence, opened }) => (
          <p key={uuid} className="note look">
            {sentence}
            <br />
            {sentenceCase(inWords(new Date(opened), now))} ·{' '}
            <a className="alone" href={`?incident=${uuid}`} aria-label={messages.link.of(sentence)}>
              {messages.link.see}
            </a>
          </p>
        ))}
    </div>
  );
}

function userOf({ device, incident }: HeldRequest, { incidents, devices, holder_name }: GuardianView): PersonAt {
  const place = devices.find(({ uuid }) => uuid === device) ?? incidents.find(({ uuid }) => uuid === incident)?.device;
  return personAt(place ?? { name: holder_name }, holder_name);
}
