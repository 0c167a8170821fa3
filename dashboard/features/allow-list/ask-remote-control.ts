import type { useConfirm } from '../../ui/confirm-dialog.tsx';
import { messages } from './messages.ts';

/** One question more: whoever has a scammer on the phone is told to do just this. */
export const askRemoteControl = (ask: ReturnType<typeof useConfirm>, name: string) =>
  ask({ heading: messages.ask.heading(name), body: messages.ask.body(name), confirm: messages.ask.confirm(name), danger: true });
