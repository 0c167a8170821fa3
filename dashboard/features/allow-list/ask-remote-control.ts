import type { useConfirm } from '../../ui/confirm-dialog.tsx';
import { messages } from './messages.ts';

/** Confirms remote control, because scammers on the phone ask for exactly this. */
export const askRemoteControl = (ask: ReturnType<typeof useConfirm>, name: string) =>
  ask({ heading: messages.ask.heading(name), body: messages.ask.body(name), confirm: messages.ask.confirm(name), danger: true });
