import { Navigate, useParams } from 'react-router';
import { inWords } from '../../lib/dates.ts';
import { HttpError } from '../../lib/http.ts';
import { paths } from '../../lib/paths.ts';
import { useNow } from '../../lib/use-now.ts';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Overview } from './guardian-page/overview.tsx';
import { Settings } from './guardian-page/settings.tsx';
import { messages } from './messages.ts';
import { useGuardianSees } from './queries.ts';
import './preview.css';

export function PreviewScreen() {
  const { guardianId = '' } = useParams();
  const { view, looks } = useGuardianSees(guardianId);
  const now = useNow();
  if (view.error instanceof HttpError && view.error.status === 404) return <Navigate to={paths.guardians} replace />;
  return (
    <div className="wrap read stack-l">
      <Link className="alone" to={paths.guardians}>
        {messages.preview.back}
      </Link>
      <Loading of={view} height={480}>
        {(data) => (
          <>
            <div>
              <h1>{messages.preview.heading(data.name)}</h1>
              <p className="soft">{messages.preview.lead(data.name)}</p>
            </div>
            <section className="preview stack-l" aria-label={messages.preview.frame(data.name)}>
              {data.state === 'active' ? (
                <Overview view={data} level={2}>
                  <Settings view={data} />
                </Overview>
              ) : (
                <p>{messages.preview.nothing(data.name)}</p>
              )}
            </section>
            <section className="stack" aria-labelledby="looks">
              <h2 id="looks">{messages.preview.looks(data.name)}</h2>
              <Loading of={looks} height={96}>
                {(times) =>
                  times.length ? (
                    <ul className="stack">
                      {times.map((time) => (
                        <li key={time}>{capitalize(inWords(new Date(time), now))}</li>
                      ))}
                    </ul>
                  ) : (
                    <p>{messages.preview.noLooks(data.name)}</p>
                  )
                }
              </Loading>
            </section>
          </>
        )}
      </Loading>
    </div>
  );
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
