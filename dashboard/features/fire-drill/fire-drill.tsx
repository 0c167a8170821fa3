import type { FireDrill as Drill } from '@porchlight/contract/fire-drill.ts';
import { inWords } from '../../lib/dates.ts';
import { useNow } from '../../lib/use-now.ts';
import { useConfirm } from '../../ui/confirm-dialog.tsx';
import { QuietStatus, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/loading.tsx';
import { messages } from './messages.ts';
import { useFireDrill } from './queries.ts';

export function FireDrill() {
  const { drill, start } = useFireDrill();
  const form = useForm();
  const ask = useConfirm();
  const press = () =>
    form.run(async () => {
      await ask(messages.ask);
      await start();
      return undefined;
    });
  return (
    <section className="card stack" aria-labelledby="drill">
      <h2 id="drill">{messages.heading}</h2>
      <p>{messages.lead}</p>
      <button type="button" className="btn" onClick={() => void press()}>
        {messages.button}
      </button>
      <QuietStatus state={form} />
      <Loading of={drill} height={48}>
        {(lastDrill) => lastDrill && <Reached drill={lastDrill} />}
      </Loading>
    </section>
  );
}

const tagStyles = {
  waiting: { kind: 'look', icon: 'wait' },
  sent: { kind: 'safe', icon: 'tick' },
  failed: { kind: 'danger', icon: 'cross' },
} as const;

function Reached({ drill: { time, reached } }: { drill: Drill }) {
  const now = useNow();
  const failedCount = reached.filter(({ state }) => state === 'failed').length;
  const over = reached.length > 0 && reached.every(({ state }) => state !== 'waiting');
  return (
    <div className="stack">
      <h3>{messages.reached}</h3>
      <p className="soft">{messages.sent(inWords(new Date(time), now))}</p>
      <p role="status">{over && (failedCount ? messages.some(failedCount) : messages.all)}</p>
      <ul className="stack">
        {reached.map(({ name, guardian, channel, state, reason }) => (
          <li key={`${guardian}${channel}`}>
            <span className="row">
              <span>
                <strong>{guardian === null ? messages.you : name}</strong> {messages.by[channel]}
              </span>
              <span className={`tag ${tagStyles[state].kind}`}>
                <Icon name={tagStyles[state].icon} size={18} />
                {messages.states[state]}
              </span>
            </span>
            {reason && <p className="soft">{reason}</p>}
          </li>
        ))}
      </ul>
    </div>
  );
}
