import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { lazy } from 'react';
import type { SafeSentence } from '../../../lib/safe-sentence.ts';
import { Acknowledge } from './acknowledge.tsx';
import { Collapsible } from './collapsible.tsx';
import { LazyPart } from './lazy-part.tsx';
import { messages } from './messages.ts';

/** Loaded on demand: collapsed at first. */
const WhatToDo = lazy(async () => ({ default: (await import('./what-to-do.tsx')).WhatToDo }));

interface UrgentProps {
  safe: SafeSentence;
  alert: GuardianView['alerts'][number] | undefined;
  holder: string;
}

/** In the order of actions: call, say one sentence, involve the other guardians. */
export function Urgent({ safe: { call, lines }, alert, holder }: UrgentProps) {
  return (
    <>
      <div className="stack">
        {call?.phone_number && (
          <a className="btn big wide" href={`tel:${call.phone_number}`}>
            {call.label}
          </a>
        )}
        {call && !call.phone_number && (
          <p className="lead">
            <strong>{messages.now.byKnown(call.label)}</strong>
          </p>
        )}
        <p>{alert ? messages.now.say : messages.now.ask}</p>
        {alert && <Acknowledge alert={alert} big />}
        {lines.slice(1).map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      {alert && (
        <Collapsible id="what-to-do" title={messages.now.heading} open={false}>
          <LazyPart>
            <WhatToDo name={call?.name ?? holder} />
          </LazyPart>
        </Collapsible>
      )}
    </>
  );
}
