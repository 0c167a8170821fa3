import type { Guardian } from '@porchlight/contract/guardians.ts';
import { useRef } from 'react';
import { QuietStatus, useForm } from '../../ui/form.tsx';
import { CallPlace, useCallOrder } from './call-order.tsx';
import { GuardianRow } from './guardian-row.tsx';
import { messages } from './messages.ts';

export function GuardianList({ guardians }: { guardians: Guardian[] }) {
  const form = useForm();
  const list = useRef<HTMLDivElement>(null);
  const order = useCallOrder(guardians, form);
  return (
    <div ref={list} className="stack" tabIndex={-1} role="group" aria-label={messages.heading}>
      {order.count > 1 && <p className="soft">{messages.calls.lead}</p>}
      {guardians.length ? (
        <ul className="stack">
          {guardians.map((guardian) => (
            <li key={guardian.uuid}>
              <GuardianRow guardian={guardian} form={form} onRemoved={() => list.current?.focus()}>
                <CallPlace guardian={guardian} order={order} />
              </GuardianRow>
            </li>
          ))}
        </ul>
      ) : (
        <p>{messages.none}</p>
      )}
      <QuietStatus state={form} />
    </div>
  );
}
