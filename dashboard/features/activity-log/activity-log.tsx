import type { ActivityEntry } from '@porchlight/contract/activity-log.ts';
import { actSentence } from '@porchlight/contract/words/activities.ts';
import { inWordsOf } from '@porchlight/contract/words/activity-subject.ts';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { inWords } from '../../lib/dates.ts';
import { timesInWords } from '../../lib/times-in-words.ts';
import { useNow } from '../../lib/use-now.ts';
import { QuietStatus, useForm } from '../../ui/form.tsx';
import { Loading } from '../../ui/loading.tsx';
import { messages } from './messages.ts';
import { useActivityLog } from './queries.ts';
import { Undo } from './undo.tsx';
import './activity-log.css';

export function ActivityLog() {
  const activityLog = useActivityLog();
  const [search] = useSearchParams();
  const linkedEntry = search.get('act');
  return (
    <section className="card stack" aria-labelledby="acts">
      <h2 id="acts">{messages.heading}</h2>
      <p className="soft">{messages.lead}</p>
      <Loading of={activityLog} height={96}>
        {(items) =>
          items.length ? (
            <ul className="acts">
              {items.map((act) => (
                <ActivityRow key={act.uuid} act={act} asked={act.uuid === linkedEntry} />
              ))}
            </ul>
          ) : (
            <p>{messages.none}</p>
          )
        }
      </Loading>
    </section>
  );
}

/** `asked`: whether an email linked to this entry. */
function ActivityRow({ act, asked }: { act: ActivityEntry; asked: boolean }) {
  const { uuid, time, undo } = act;
  const now = useNow();
  const form = useForm();
  const row = useRef<HTMLLIElement>(null);
  const wordsId = `act-${uuid}`;
  useEffect(() => {
    if (!asked) return;
    row.current?.scrollIntoView({ block: 'center' });
    row.current?.focus({ preventScroll: true });
  }, [asked]);
  return (
    <li ref={row} className={asked ? 'act asked' : 'act'} tabIndex={-1}>
      <div>
        <span id={wordsId}>{actSentence(inWordsOf(act, timesInWords(now)))}</span>
        <br />
        <span className="soft small">{inWords(new Date(time), now)}</span>
      </div>
      {undo && <Undo undo={undo} about={wordsId} form={form} onDone={() => row.current?.focus()} />}
      <QuietStatus state={form} />
    </li>
  );
}
