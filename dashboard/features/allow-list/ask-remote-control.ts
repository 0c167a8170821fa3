import type { AllowingOutlook, AllowListDuration } from '@porchlight/contract/allow-list.ts';
import type { useConfirm } from '../../ui/confirm-dialog.tsx';
import { messages } from './messages.ts';

/** Confirms remote control, because scammers on the phone ask for exactly this, and says what happens then (P15.2). */
export const askRemoteControl = (ask: ReturnType<typeof useConfirm>, name: string, outlook: AllowingOutlook, lasts: AllowListDuration) =>
  ask({
    heading: messages.ask.heading(name),
    body: [messages.ask.body(name), messages.ask.outlook[outlook], outlook === 'asks' && lasts === null && messages.ask.canStay]
      .filter(Boolean)
      .join(' '),
    confirm: messages.ask.confirm(name),
    danger: true,
  });
