import { Icon } from '../../../ui/icons.tsx';
import { t } from '../texts.ts';

/** This device or another (2.64): one press decides. */
export function MachineStep({ onDone }: { onDone: (machine: 'self' | 'other') => void }) {
  const choice = (machine: 'self' | 'other', title: string, hint: string) => (
    <button type="button" className="card machine" onClick={() => onDone(machine)}>
      <Icon name="laptop" size={40} />
      <span>
        <strong>{title}</strong>
        <br />
        <span className="soft">{hint}</span>
      </span>
    </button>
  );
  return (
    <>
      <h1>{t.machine.heading}</h1>
      <div className="stack">
        {choice('self', t.machine.self, t.machine.selfHint)}
        {choice('other', t.machine.other, t.machine.otherHint)}
      </div>
    </>
  );
}
