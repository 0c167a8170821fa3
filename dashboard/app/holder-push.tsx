import { useRenewal } from '../features/push/use-renewal.ts';
import { holderPush } from '../integrations/push-record.ts';

/** Keeps the holder's notifications in this browser alive. */
export function HolderPush() {
  useRenewal(holderPush());
  return null;
}
