import { type PushRecipient, recordOf, removeRecord } from './push-record.ts';

/** Ends notifications after a log-out, or when a guardian has left. Waits for nothing, so that neither depends on it. */
export function leavePush(recipient: PushRecipient): void {
  const record = recordOf(recipient);
  if (!record) return;
  // Sent before the caller's login ends. Should it be refused, the push service answers the server's next message that the endpoint is gone.
  recipient.end(record.endpoint).catch(() => {});
  endPushHere(recipient).catch((err: unknown) => console.warn('The notifications could not be ended in this browser.', err));
}

/** Ends the browser's part, and removes the notifications that are shown still. */
export async function endPushHere(recipient: PushRecipient): Promise<void> {
  removeRecord(recipient);
  const registration = await registrationOf(recipient);
  if (!registration) return;
  for (const notification of await registration.getNotifications()) notification.close();
  const subscription = await registration.pushManager.getSubscription();
  await subscription?.unsubscribe();
  await registration.unregister();
}

/** The browser's answer may be the worker of a wider scope, which is that of someone else. */
async function registrationOf({ scope }: PushRecipient): Promise<ServiceWorkerRegistration | null> {
  const registration = await navigator.serviceWorker?.getRegistration(scope);
  return registration && new URL(registration.scope).pathname === scope ? registration : null;
}
