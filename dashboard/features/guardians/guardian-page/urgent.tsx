import type { GuardianView } from '@porchlight/contract/guardians.ts';
import type { SafeSentence } from '../../../lib/safe-sentence.ts';
import { OnIt } from './acknowledge.tsx';
import { Fold } from './collapsible.tsx';
import { t } from './messages.ts';
import { WhatToDo } from './what-to-do.tsx';

interface UrgentProps {
  safe: SafeSentence;
  alert: GuardianView['alerts'][number] | undefined;
  holder: string;
}

/** What a guardian does while someone may be in trouble, in this order: call, say one thing, tell the others. The rest is folded. */
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
            <strong>{t.now.byKnown(call.label)}</strong>
          </p>
        )}
        <p>{alert ? t.now.say : t.now.ask}</p>
        {alert && <OnIt alert={alert} big />}
        {lines.slice(1).map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      {alert && (
        <Fold id="what-to-do" title={t.now.heading} open={false}>
          <WhatToDo name={call?.name ?? holder} />
        </Fold>
      )}
    </>
  );
}
