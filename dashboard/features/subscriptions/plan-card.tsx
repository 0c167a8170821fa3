import { Loading } from '../../ui/loading.tsx';
import { useSubscription } from './queries.ts';
import { t } from './texts.ts';

/** What the account may protect, and through which plan. */
export function PlanCard() {
  const subscription = useSubscription();
  return (
    <section className="card" aria-label={t.heading}>
      <h3>{t.heading}</h3>
      <Loading of={subscription} height={54}>
        {({ subscribed, device_limit }) => (
          <>
            <p>{subscribed ? t.subscribed : t.complementary}</p>
            <p className="soft small">{t.limit(device_limit)}</p>
          </>
        )}
      </Loading>
    </section>
  );
}
