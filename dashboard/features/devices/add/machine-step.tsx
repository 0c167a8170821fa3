import { useEffect, useRef, useState } from 'react';
import { isProtectedHere } from '../../../integrations/local-agent.ts';
import { Icon } from '../../../ui/icons.tsx';
import { messages } from '../messages.ts';

/** `here`: this computer is already protected, so the new device is another one (2.69). */
export interface MachineChoice {
  machine: 'self' | 'other';
  here?: boolean;
}

/** Clause 2.64. */
export function MachineStep({ onDone }: { onDone: (choice: MachineChoice) => void }) {
  const [asking, setAsking] = useState(false);
  const mountedRef = useRef(true);
  useEffect(() => {
    mountedRef.current = true;
    return () => {
      mountedRef.current = false;
    };
  }, []);
  const self = async () => {
    setAsking(true);
    const already = await isProtectedHere();
    if (mountedRef.current) onDone(already ? { machine: 'other', here: true } : { machine: 'self' });
  };
  return (
    <>
      <h1>{messages.machine.heading}</h1>
      <div className="stack">
        <Choice title={messages.machine.self} hint={messages.machine.selfHint} disabled={asking} onPress={() => void self()} />
        <Choice
          title={messages.machine.other}
          hint={messages.machine.otherHint}
          disabled={asking}
          onPress={() => onDone({ machine: 'other' })}
        />
      </div>
    </>
  );
}

function Choice({ title, hint, disabled, onPress }: { title: string; hint: string; disabled: boolean; onPress: () => void }) {
  return (
    <button type="button" className="card machine" disabled={disabled} onClick={onPress}>
      <Icon name="laptop" size={40} />
      <span>
        <strong>{title}</strong>
        <br />
        <span className="soft">{hint}</span>
      </span>
    </button>
  );
}
