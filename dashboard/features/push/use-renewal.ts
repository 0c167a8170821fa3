import { useEffect, useState } from 'react';
import { renewPush } from '../../integrations/push.ts';
import type { PushRecipient } from '../../integrations/push-record.ts';

/** Sends this browser's subscription again after a day. The page is drawn by then, and a failure waits for the next visit. */
export function useRenewal(recipient: PushRecipient): void {
  const [first] = useState(recipient);
  useEffect(() => {
    renewPush(first).catch((err: unknown) => console.warn('The notifications of this browser could not be renewed.', err));
  }, [first]);
}
