import { Illustration } from '../../../ui/illustrations.tsx';
import { messages as leads } from './ended-messages.ts';
import { LostLink } from './lost-link.tsx';
import { messages } from './messages.ts';

export function Ended({ how: reason, holder = '' }: { how: 'expired' | 'declined' | 'left' | 'dead'; holder?: string }) {
  const { heading } = messages.ended[reason];
  return (
    <>
      <Illustration of={reason === 'dead' || reason === 'expired' ? 'lost' : 'together'} />
      <div>
        <h1>{heading}</h1>
        <p className="lead">{leads[reason](holder)}</p>
      </div>
      {reason === 'dead' && <LostLink />}
    </>
  );
}
