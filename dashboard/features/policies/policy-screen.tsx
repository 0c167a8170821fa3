import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { messages } from './messages.ts';
import { PolicyForm } from './policy-form.tsx';
import { useOwnPolicies, usePolicyActions } from './queries.ts';

/** An unknown profile redirects to the list. `children`: above the form. */
export function PolicyScreen({ id, children }: { id: string; children: ReactNode }) {
  const policies = useOwnPolicies();
  const { change } = usePolicyActions();
  return (
    <div className="wrap read stack-l">
      <Link className="alone" to={paths.policies}>
        {messages.toList}
      </Link>
      <Loading of={policies} height={400}>
        {(ownPolicies) => {
          const policy = ownPolicies.find(({ uuid }) => uuid === id);
          if (!policy) return <Navigate to={paths.policies} replace />;
          return (
            <>
              <h1>{messages.change.heading(policy.name)}</h1>
              {children}
              <PolicyForm
                key={id}
                id={id}
                initial={policy}
                label={messages.change.heading(policy.name)}
                button={messages.change.save}
                save={async (values) => {
                  await change({ uuid: id, ...values });
                  return messages.change.saved;
                }}
              />
            </>
          );
        }}
      </Loading>
    </div>
  );
}
