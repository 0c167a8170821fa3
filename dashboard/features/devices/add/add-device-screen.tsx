import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { paths, type SetupStep } from '../../../lib/paths.ts';
import { Link } from '../../../ui/link.tsx';
import { messages } from '../messages.ts';
import { type Created, clearSetup, type Draft, newDraftId, type PolicyChoice, readSetup, type Setup, writeSetup } from './draft.ts';
import { MachineStep } from './machine-step.tsx';
import { PolicyStep } from './policy-step.tsx';
import { type CallConsentOf, ReadyStep } from './ready-step.tsx';
import '../devices.css';

export interface AddDeviceProps {
  /** Called when the user leaves the last step (2.68). */
  onFinish: () => void;
  onLogOut: () => void;
  policyChoice: PolicyChoice;
  /** The compatibility warning, shown in the policy step for this device (2.71). */
  compatibility?: ReactNode;
  /** Download buttons with the code, beside the other ways to connect (P3.3). */
  downloads?: (code: string) => ReactNode;
  callConsent: CallConsentOf;
  resolverOffer: ReactNode;
}

const steps: SetupStep[] = ['machine', 'policy', 'download', 'send'];

/** The step is in the address (P3.7). */
export function AddDeviceScreen({
  onFinish,
  onLogOut,
  policyChoice,
  compatibility,
  downloads,
  callConsent,
  resolverOffer,
}: AddDeviceProps) {
  const [search] = useSearchParams();
  const step = steps.find((knownStep) => knownStep === search.get('step')) ?? 'machine';
  // Opening the flow again restarts it (2.67).
  const [setup, setSetup] = useState<Setup>(() => (step === 'machine' ? {} : readSetup()));
  const navigate = useNavigate();
  const change = (newSetup: Setup) => {
    writeSetup(newSetup);
    setSetup(newSetup);
  };
  /** The answer may arrive after the draft was replaced, or after another user logged in. */
  const created = (draft: string, device: Created) => {
    const now = readSetup();
    if (now.draft?.id === draft) change({ ...now, created: device });
  };
  /** Another device with the same name, for a removed one. */
  const replaceDraft = (draft: Draft): Draft | null => {
    const now = readSetup();
    if (now.draft?.id !== draft.id) return null;
    const newDraft = { ...draft, id: newDraftId() };
    change({ ...now, draft: newDraft, created: undefined });
    return newDraft;
  };
  const removed = ({ name, policy, person }: Draft) =>
    change({ ...setup, draft: undefined, created: undefined, typed: { name, policy, person } });
  const ready = step === 'download' || step === 'send';
  useEffect(() => {
    if (step === 'machine' && !setup.machine) clearSetup();
  }, [step, setup.machine]);
  // A step without its draft redirects to the step that makes it (2.27).
  useEffect(() => {
    if (ready && !setup.draft) void navigate(paths.addDevice('policy'), { replace: true });
  }, [ready, setup.draft, navigate]);
  const root = useRef<HTMLDivElement>(null);
  const shownStep = useRef(step);
  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    (root.current?.querySelector<HTMLElement>('input[name="name"]') ?? root.current)?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [step]);
  const finishingRef = useRef(false);
  useEffect(() => {
    finishingRef.current = ready && setup.draft !== undefined;
  });
  useEffect(
    () => () => {
      if (finishingRef.current) onFinish();
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
            callConsent={callConsent}
            resolverOffer={resolverOffer}
            onCreated={created}
            onReplaceDraft={replaceDraft}
            onRemoved={removed}
            onLogOut={onLogOut}
          />
        )
      ) : (
        <MachineStep
          onDone={({ machine, here = false }) => {
            // Choosing again keeps the name and the created device.
            change({ ...setup, machine, here, ...(setup.draft ? { draft: { ...setup.draft, machine } } : {}) });
            void navigate(paths.addDevice(here ? 'send' : 'policy'));
          }}
        />
      )}
    </div>
  );
}
