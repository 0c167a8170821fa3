import type { Api } from '@porchlight/contract/all.ts';
import type { AllowListDuration } from '@porchlight/contract/allow-list.ts';
import type { Answer } from '@porchlight/contract/endpoint.ts';
import { mayNotWords } from '../../lib/may-words.ts';
import type { useConfirm } from '../../ui/confirm-dialog.tsx';
import { messages } from './messages.ts';

/** What a remote-control program does once it is allowed. */
export type AllowingFacts = Pick<Answer<Api['GET /web/devices/:id/v2/exceptions']>, 'remote_control' | 'suspended'>;

/** Confirms remote control, because scammers on the phone ask for exactly this, and says what happens then (P15.2). */
export function askRemoteControl(
  ask: ReturnType<typeof useConfirm>,
  name: string,
  { remote_control: outlook, suspended }: AllowingFacts,
  lasts: AllowListDuration,
) {
  const waits = outlook === 'waits' || outlook === 'may_wait';
  const sentences = [
    messages.ask.body(name),
    (!suspended || waits) && messages.ask.outlook[outlook],
    suspended && mayNotWords(suspended, new Date()),
    !suspended && outlook === 'asks' && lasts === null && messages.ask.canStay,
  ];
  return ask({
    heading: messages.ask.heading(name),
    body: sentences.filter(Boolean).join(' '),
    confirm: messages.ask.confirm(name),
    danger: true,
  });
}
