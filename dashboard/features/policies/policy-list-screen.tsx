import { limits } from '@porchlight/contract/limits.ts';
import type { ProtectionProfile } from '@porchlight/contract/policies.ts';
import { type ReactNode, useId, useRef } from 'react';
import { paths } from '../../lib/paths.ts';
import { useConfirm } from '../../ui/confirm-dialog.tsx';
import { type FormState, QuietStatus, useForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { messages } from './messages.ts';
import { useOwnPolicies, usePolicyActions } from './queries.ts';

/** The account's own profiles (P4.1). `devicesWith`: how many devices have a profile. `children`: below the profiles. */
export function PolicyListScreen({ devicesWith, children }: { devicesWith: (policy: string) => number; children: ReactNode }) {
  const policies = useOwnPolicies();
  const form = useForm();
  const list = useRef<HTMLDivElement>(null);
  return (
    <div className="wrap read stack-l">
      <Link className="alone" to={paths.home}>
        {messages.home}
      </Link>
      <h1>{messages.list.heading}</h1>
      <p>{messages.list.lead}</p>
      <Loading of={policies} height={240}>
        {(ownPolicies) => (
          <>
            <div ref={list} className="stack" tabIndex={-1} role="group" aria-label={messages.list.label}>
              {ownPolicies.length ? (
                <ul className="stack">
                  {ownPolicies.map((policy) => (
                    <li key={policy.uuid}>
                      <Row policy={policy} devices={devicesWith(policy.uuid)} form={form} onRemoved={() => list.current?.focus()} />
                    </li>
                  ))}
                </ul>
              ) : (
                <p>{messages.list.none}</p>
              )}
              <QuietStatus state={form} />
            </div>
            {ownPolicies.length < limits.policies_max ? (
              <Link className="btn" to={paths.newPolicy()}>
                {messages.list.make}
              </Link>
            ) : (
              <p className="note look">{messages.list.full}</p>
            )}
            {children}
          </>
        )}
      </Loading>
    </div>
  );
}

interface RowProps {
  policy: ProtectionProfile;
  devices: number;
  form: FormState;
  onRemoved: () => void;
}

function Row({ policy: { uuid, name, description }, devices, form, onRemoved }: RowProps) {
  const ask = useConfirm();
  const nameId = useId();
  const { remove } = usePolicyActions();
  const onRemove = () =>
    form.run(async () => {
      await ask({ heading: messages.list.ask, body: messages.list.askBody(name, devices), confirm: messages.list.remove, danger: true });
      await remove(uuid);
      onRemoved();
      return messages.list.removed(name);
    });
  return (
    <div className="card stack">
      <h2 className="minor">{name}</h2>
      <p id={nameId}>{description}</p>
      <p className="soft">{messages.list.usedBy(devices)}</p>
      <div className="row">
        <Link className="btn quiet" to={paths.policy(uuid)} aria-label={messages.list.editName(name)} aria-describedby={nameId}>
          {messages.list.edit}
        </Link>
        <button type="button" className="btn danger" aria-label={messages.list.removeName(name)} onClick={() => void onRemove()}>
          {messages.list.remove}
        </button>
      </div>
    </div>
  );
}
