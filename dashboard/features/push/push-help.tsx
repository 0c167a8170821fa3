import type { PushState } from '../../integrations/push.ts';
import { messages } from './messages.ts';
import './push.css';

/** What to do where pressing a button is not enough. */
export function PushHelp({ state }: { state: PushState }) {
  if (state === 'denied') return <p role="status">{messages.denied}</p>;
  if (state !== 'home_screen') return null;
  return (
    <>
      <p>{messages.homeScreen.lead}</p>
      <ol className="push-steps">
        {messages.homeScreen.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </>
  );
}
