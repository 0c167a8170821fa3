import type { AllowingOutlook } from '@porchlight/contract/allow-list.ts';
import type { useConfirm } from '../../ui/confirm-dialog.tsx';
import { messages } from './messages.ts';

/** Confirms remote control, because scammers on the phone ask for exactly this, and says what happens then. */
export const askRemoteControl = (ask: ReturnType<typeof useConfirm>, name: string, outlook: AllowingOutlook) =>
  ask({
    heading: messages.ask.heading(name),
    body: `${messages.ask.body(name)} ${messages.ask.outlook[outlook]}`,
    confirm: messages.ask.confirm(name),
    danger: true,
  });
