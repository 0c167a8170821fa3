import { isOnHomeScreen } from '../../../integrations/push-offer.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { Illustration } from '../../../ui/illustrations.tsx';
import { messages as leads } from './ended-messages.ts';
import { LostLink } from './lost-link.tsx';
import { messages } from './messages.ts';
import { OpenByLink } from './open-by-link.tsx';

export function Ended({ how: reason, holder = '' }: { how: 'expired' | 'declined' | 'left' | 'dead'; holder?: string }) {
  const isFirstOpened = reason === 'dead' && isOnHomeScreen();
  const heading = isFirstOpened ? leads.homeScreen.heading : messages.ended[reason];
  useTitle(heading);
  return (
    <>
      <Illustration of={reason === 'dead' || reason === 'expired' ? 'lost' : 'together'} />
      <div>
        <h1>{heading}</h1>
        <p className="lead">{isFirstOpened ? leads.homeScreen.lead : leads[reason](holder)}</p>
      </div>
      {isFirstOpened && <OpenByLink />}
      {reason === 'dead' && <LostLink />}
    </>
  );
}
