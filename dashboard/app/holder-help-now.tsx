import { HelpNow, type ProofButton } from '../features/appointments/help-now.tsx';
import { AnswerButton } from '../features/incidents/answer-button.tsx';
import { holderProofCalls } from '../features/incidents/calls.ts';

const Button: ProofButton = ({ id: _holder, ...props }) => <AnswerButton proof={holderProofCalls} kind="main" {...props} />;

/** *I'm helping now* of the holder, on a computer that somebody else uses (P15.1). */
export const HolderHelpNow = ({ device }: { device: string }) => <HelpNow guardian={null} device={device} Button={Button} />;
