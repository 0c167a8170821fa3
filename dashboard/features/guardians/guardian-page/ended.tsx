import { Illustration } from '../../../ui/illustrations.tsx';
import { LostLink } from './lost-link.tsx';
import { messages } from './messages.ts';

/** Nothing to look at: the invitation is over, the guardian said no or left, or the link is dead. What to do stands below each. */
export function Ended({ how, holder = '' }: { how: 'expired' | 'declined' | 'left' | 'dead'; holder?: string }) {
  const { heading, lead } = messages.ended[how];
  return (
    <>
      <Illustration of={how === 'dead' || how === 'expired' ? 'lost' : 'together'} />
      <div>
        <h1>{heading}</h1>
        <p className="lead">{lead(holder)}</p>
      </div>
      {how === 'dead' && <LostLink />}
    </>
  );
}
