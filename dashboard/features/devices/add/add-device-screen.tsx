import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { paths, type SetupStep } from '../../../lib/paths.ts';
import { messages } from '../messages.ts';
import { type Created, clearSetup, type Draft, newDraftId, type PolicyChoice, readSetup, type Setup, writeSetup } from './draft.ts';
import { MachineStep } from './machine-step.tsx';
import { PolicyStep } from './policy-step.tsx';
import { ReadyStep } from './ready-step.tsx';
import '../devices.css';

export interface AddDeviceParts {
  /** The download or send step was left (2.68). */
  onFinish: () => void;
  onLogOut: () => void;
  policyChoice: PolicyChoice;
  /** Stands in the policy step for this device (2.71). */
  compatibility?: ReactNode;
  /** The downloads, for whoever has the code; beside the other ways (P3.3). */
  downloads?: (code: string) => ReactNode;
}

const steps: SetupStep[] = ['machine', 'policy', 'download', 'send'];

/** Adding a device, step by step; the step stands in the address (P3.7). */
export function AddDeviceScreen({ onFinish, onLogOut, policyChoice, compatibility, downloads }: AddDeviceParts) {
  const [search] = useSearchParams();
  const step = steps.find((known) => known === search.get('step')) ?? 'machine';
  // Opening the flow again starts it again (2.67).
  const [setup, setSetup] = useState<Setup>(() => (step === 'machine' ? {} : readSetup()));
  const navigate = useNavigate();
  const change = (next: Setup) => {
    writeSetup(next);
    setSetup(next);
  };
  /** The answer may arrive after the draft was replaced, or after another person logged in. */
  const created = (draft: string, device: Created) => {
    const now = readSetup();
    if (now.draft?.id === draft) change({ ...now, created: device });
  };
  /** Another device by the same name, for one that was removed. */
  const anew = (draft: Draft): Draft | null => {
    const now = readSetup();
    if (now.draft?.id !== draft.id) return null;
    const next = { ...draft, id: newDraftId() };
    change({ ...now, draft: next, created: undefined });
    return next;
  };
  /** The device was removed elsewhere; the person decides whether to make another. */
  const removed = ({ name, policy, person }: Draft) =>
    change({ ...setup, draft: undefined, created: undefined, typed: { name, policy, person } });
  const ready = step === 'download' || step === 'send';
  useEffect(() => {
    if (step === 'machine' && !setup.machine) clearSetup();
  }, [step, setup.machine]);
  // A step without its draft goes to the one where the draft is made (2.27).
  useEffect(() => {
    if (ready && !setup.draft) void navigate(paths.addDevice('policy'), { replace: true });
  }, [ready, setup.draft, navigate]);
  const root = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  // The focus moves to each new step: to its first field, or to its top.
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    (root.current?.querySelector<HTMLElement>('input[name="name"]') ?? root.current)?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [step]);
  const finishing = useRef(false);
  useEffect(() => {
    finishing.current = ready && setup.draft !== undefined;
  });
  useEffect(
    () => () => {
      if (finishing.current) onFinish();
    },
    [onFinish],
  );

  return (
    <div className="wrap read stack-l" ref={root} tabIndex={-1}>
      {!ready && (
        <Link className="alone" to={paths.home}>
          {messages.cancel}
        </Link>
      )}
      {step === 'policy' ? (
        <PolicyStep
          setup={setup}
          compatibility={compatibility}
          policyChoice={policyChoice}
          onMove={() => {
            change({ ...setup, machine: 'self', here: false, ...(setup.draft ? { draft: { ...setup.draft, machine: 'self' } } : {}) });
            root.current?.querySelector<HTMLElement>('input[name="name"]')?.focus();
          }}
          onDone={(draft) => {
            change({ ...setup, machine: draft.machine, draft, typed: undefined });
            void navigate(paths.addDevice(draft.machine === 'self' ? 'download' : 'send'));
          }}
        />
      ) : ready ? (
        setup.draft && (
          <ReadyStep
            setup={setup}
            draft={setup.draft}
            downloads={downloads}
            onCreated={created}
            onAnew={anew}
            onRemoved={removed}
            onLogOut={onLogOut}
          />
        )
      ) : (
        <MachineStep
          onDone={({ machine, here = false }) => {
            // Choosing again keeps the name and the device already made.
            change({ ...setup, machine, here, ...(setup.draft ? { draft: { ...setup.draft, machine } } : {}) });
            void navigate(paths.addDevice(here ? 'send' : 'policy'));
          }}
        />
      )}
    </div>
  );
}
