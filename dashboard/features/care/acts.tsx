import { inWords } from '../../lib/dates.ts';
import { useNow } from '../../lib/use-now.ts';
import { Loading } from '../../ui/loading.tsx';
import { useActs } from './queries.ts';
import { t } from './texts.ts';

/** Everything that was done that weakens protection, newest first. */
export function Acts() {
  const acts = useActs();
  const now = useNow();
  return (
    <section className="card stack" aria-labelledby="acts">
      <h2 id="acts">{t.acts.heading}</h2>
      <p className="soft">{t.acts.lead}</p>
      <Loading of={acts} height={96}>
        {(items) =>
          items.length ? (
            <ul className="stack">
              {items.map(({ uuid, words, time }) => (
                <li key={uuid}>
                  {words}
                  <br />
                  <span className="soft small">{inWords(new Date(time), now)}</span>
                </li>
              ))}
            </ul>
          ) : (
            <p>{t.acts.none}</p>
          )
        }
      </Loading>
    </section>
  );
}
