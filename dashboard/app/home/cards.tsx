import type { Guardian } from '@porchlight/contract/guardians.ts';
import { firstName } from '@porchlight/contract/names.ts';
import { useGuardians } from '../../features/guardians/queries.ts';
import { PlanCard } from '../../features/subscriptions/plan-card.tsx';
import { config } from '../../lib/config.ts';
import { paths } from '../../lib/paths.ts';
import { operatorSupport, useSupport } from '../../lib/support.ts';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { SupportContacts } from '../../ui/support.tsx';
import { messages } from './messages.ts';

export function SideCards({ devices }: { devices: number | undefined }) {
  return (
    <aside className="side">
      <PlanCard devices={devices} />
      {config.features.guardians && <GuardiansCard />}
      <section className="card">
        <h3>{messages.alertsCard.heading}</h3>
        <p>{messages.alertsCard.lead}</p>
        <Link className="alone" to={paths.alerts}>
          {messages.alertsCard.link}
        </Link>
      </section>
      <section className="card">
        <h3>{messages.profileCard.heading}</h3>
        <p>{messages.profileCard.lead}</p>
        <Link className="alone" to={paths.profile}>
          {messages.profileCard.link}
        </Link>
      </section>
      <SupportCard />
    </aside>
  );
}

function GuardiansCard() {
  const guardians = useGuardians();
  return (
    <section className="card">
      <h3>{messages.guardiansCard.heading}</h3>
      <Loading of={guardians} height={54}>
        {(list) => {
          const active = list.filter((g) => g.active);
          const reached = active.filter((g) => !g.unreachable);
          if (reached.length) return <p>{messages.guardiansCard.some(firstNames(reached))}</p>;
          if (active.length) return <p>{messages.guardiansCard.unreached(firstNames(active))}</p>;
          return <p>{list.length ? messages.guardiansCard.waiting : messages.guardiansCard.none}</p>;
        }}
      </Loading>
      <Link className="alone" to={paths.guardians}>
        {messages.guardiansCard.link}
      </Link>
    </section>
  );
}

function firstNames(guardians: Guardian[]): string {
  const list = guardians.map(({ name }) => firstName(name));
  return list.length < 2 ? (list[0] ?? '') : `${list.slice(0, -1).join(', ')} and ${list.at(-1)}`;
}

/** Clauses 1.4, 2.59. */
function SupportCard() {
  const support = useSupport();
  return (
    <section className="card" aria-labelledby="support">
      <h3 id="support">{support.title}</h3>
      {support.description && <p>{support.description}</p>}
      {/* Only the operator makes this promise. */}
      {support === operatorSupport && <p className="soft">{messages.supportCard.lead}</p>}
      <p className="contacts">
        <SupportContacts />
      </p>
    </section>
  );
}
