import type { AllowedAfter, Incident } from '@porchlight/contract/incidents.ts';
import { useState } from 'react';
import { atMoment, inWords } from '../../lib/dates.ts';
import { mayNotWords } from '../../lib/may-words.ts';
import { callLabel, type PersonAt } from '../../lib/person-messages.ts';
import { Lamp } from '../../ui/lamp.tsx';
import { AllowedAfterList } from './allowed-after.tsx';
import { AnswerButton } from './answer-button.tsx';
import type { AnswerGiven, IncidentAnswer, IncidentCalls } from './calls.ts';
import { messages } from './messages.ts';
import type { Reader } from './reader.ts';

interface AnswersProps {
  incident: Incident;
  reader: Reader;
  user: PersonAt;
  calls: IncidentCalls;
  answer: (answer: IncidentAnswer, given: AnswerGiven) => Promise<void>;
  /** Shows that the answer arrived. */
  thank: (answer: IncidentAnswer) => void;
  now: Date;
}

/** For how long a device is watched once its incident is over (P9.2), in ms. */
const WATCHED_MS = 7 * 24 * 3_600_000;

/** What to do first, then the answers for this reader; calm once it is over (P9.4). `asks`: a question above has what to do first. */
export function Answers({ asks, ...props }: AnswersProps & { asks: boolean }) {
  const { incident, user, now } = props;
  const { state, device, over_by, ends } = incident;
  if (state !== 'open') {
    const until = inWords(new Date(new Date(ends).getTime() + WATCHED_MS), now);
    return (
      <section className="state" aria-label={messages.first.label}>
        <Lamp size={88} />
        <div>
          <p className="incident-first">{state === 'watched' ? messages.calm.watched(device.name, until) : messages.calm.over}</p>
          {over_by && <p>{messages.calm.by(over_by.you ? null : over_by.by, inWords(new Date(over_by.time), now))}</p>}
        </div>
      </section>
    );
  }
  const call = user.kind === 'other' ? callLabel(user) : null;
  const buttons = (
    <>
      {call ? <OnIt {...props} /> : <Mine {...props} />}
      {incident.may_end.may !== 'no' && <Over {...props} />}
    </>
  );
  if (asks) return <div className="row">{buttons}</div>;
  return (
    <section className="state quiet" aria-label={messages.first.label}>
      <Lamp size={88} />
      <div>
        <p className="incident-first">
          {call ? (user.phone_number ? messages.first.ask : messages.first.known(call)) : messages.first.self}
        </p>
        <div className="row">
          {call && user.phone_number && (
            <a className="btn big" href={`tel:${user.phone_number}`}>
              {call}
            </a>
          )}
          {buttons}
        </div>
      </div>
    </section>
  );
}

/** The answers that are rarely the first thing to do. */
export function MoreAnswers(props: AnswersProps) {
  const { incident, reader, user, now } = props;
  const { stopped, device, state, ends } = incident;
  const open = state === 'open';
  if (!open && !stopped) return null;
  return (
    <section className="card stack" aria-labelledby="more">
      <h2 id="more" className="minor">
        {messages.answers.heading}
      </h2>
      {open && (user.kind === 'other' ? reader.kind === 'holder' && <Mine {...props} hint /> : <OnIt {...props} hint />)}
      {stopped && incident.may_allow.may !== 'no' && (
        <div>
          <AnswerButton
            label={messages.answers.allow(stopped)}
            kind="danger"
            may={incident.may_allow}
            ask={messages.answers.allowAsk(stopped, device.name)}
            {...answerProps(props, 'allow_hour')}
          />
        </div>
      )}
      {refusalsOf(incident, now).map(([why, labels]) => (
        <p key={why} className="soft">
          {messages.answers.notYours(labels, why)}
        </p>
      ))}
      {open && <p className="soft">{messages.ends(atMoment(new Date(ends), now))}</p>}
    </section>
  );
}

/** The answers that this reader cannot give, by the reason. */
function refusalsOf({ state, stopped, may_end, may_allow }: Incident, now: Date): [why: string, labels: string[]][] {
  const answers = [
    { label: messages.answers.over, may: state === 'open' ? may_end : null },
    { label: messages.answers.allow(stopped ?? ''), may: stopped ? may_allow : null },
  ];
  const labelsByReason = new Map<string, string[]>();
  for (const { label, may } of answers) {
    if (may?.may !== 'no') continue;
    const why = mayNotWords(may, now);
    labelsByReason.set(why, [...(labelsByReason.get(why) ?? []), label]);
  }
  return [...labelsByReason];
}

/** With nothing that is allowed then it is one press (P15.4). */
function Over(props: AnswersProps) {
  const { may_end, device, allowed_after } = props.incident;
  const [chosen, choose] = useState<Record<string, boolean>>({});
  const stops = ({ id, recent }: AllowedAfter) => chosen[id] ?? recent;
  const choices = (
    <AllowedAfterList
      items={allowed_after}
      now={props.now}
      stops={stops}
      onChange={(id, on) => choose((before) => ({ ...before, [id]: on }))}
    />
  );
  return (
    <AnswerButton
      label={messages.answers.over}
      may={may_end}
      ask={{ ...messages.answers.overAsk(device.name), ...(allowed_after.length > 0 && { choices }) }}
      atOnce={allowed_after.length === 0}
      {...answerProps(props, 'over', { stop_allowing: allowed_after.filter(stops).map(({ id }) => id) })}
    />
  );
}

/** Guardians cannot answer so, and nobody twice. */
function Mine({ hint = false, ...props }: AnswersProps & { hint?: boolean }) {
  const { incident, reader } = props;
  if (incident.was_me || reader.kind === 'guardian') return null;
  return (
    <div>
      <AnswerButton label={messages.answers.mine} ask={null} {...answerProps(props, 'mine')} />
      {hint && <p className="soft small">{messages.answers.mineHint}</p>}
    </div>
  );
}

function OnIt({ hint = false, ...props }: AnswersProps & { hint?: boolean }) {
  const { on_it, account_on_it } = props.incident;
  if (on_it.some(({ you }) => you) || account_on_it?.you) return null;
  return (
    <div>
      <AnswerButton label={messages.answers.onIt} ask={null} {...answerProps(props, 'on_it')} />
      {hint && <p className="soft small">{messages.answers.onItHint}</p>}
    </div>
  );
}

const answerProps = ({ calls, answer, thank }: AnswersProps, kind: IncidentAnswer, given: AnswerGiven = {}) => ({
  proof: calls,
  answer: (code?: string) => answer(kind, { ...given, code }),
  done: () => thank(kind),
});
