import type { Guardian } from '@porchlight/contract/guardians.ts';
import { useRef } from 'react';
import { QuietStatus, useForm } from '../../ui/form.tsx';
import { GuardianRow } from './guardian-row.tsx';
import { messages } from './messages.ts';

export function GuardianList({ guardians }: { guardians: Guardian[] }) {
  const form = useForm();
  const list = useRef<HTMLDivElement>(null);
  return (
    <div ref={list} className="stack" tabIndex={-1} role="group" aria-label={messages.heading}>
      {guardians.length ? (
        <ul className="stack">
          {guardians.map((guardian) => (
            <li key={guardian.uuid}>
              <GuardianRow guardian={guardian} form={form} onRemoved={() => list.current?.focus()} />
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
