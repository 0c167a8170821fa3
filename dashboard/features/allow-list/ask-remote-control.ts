import type { useConfirm } from '../../ui/confirm-dialog.tsx';
import { t } from './messages.ts';

/** One question more: whoever has a scammer on the phone is told to do just this. */
export const askRemoteControl = (ask: ReturnType<typeof useConfirm>, name: string) =>
  ask({ heading: t.ask.heading(name), body: t.ask.body(name), confirm: t.ask.confirm(name), danger: true });
