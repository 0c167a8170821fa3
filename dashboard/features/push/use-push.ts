import { useSyncExternalStore } from 'react';
import { onPushChange, type PushState, pushState, turnPushOff, turnPushOn } from '../../integrations/push.ts';
import type { PushRecipient } from '../../integrations/push-record.ts';
import { FormError } from '../../lib/error-text.ts';
import { reportHandledError } from '../../lib/handled-errors.ts';
import { HttpError } from '../../lib/http.ts';
import { type FormState, useForm } from '../../ui/form.tsx';
import { messages } from './messages.ts';

export interface Push {
  state: PushState;
  /** `phone`, `tablet` or `computer`. */
  device: string;
  form: FormState;
  turnOn(): Promise<void>;
  turnOff(): Promise<void>;
}

/** Web Push for this recipient in this browser. The offer and the settings of one page show the same state. */
export function usePush(recipient: PushRecipient): Push {
  const state = useSyncExternalStore(onPushChange, () => pushState(recipient));
  const form = useForm();
  const device = deviceWord();
  const turnOn = async () => {
    const newState = await turnPushOn(recipient).catch(inWords);
    if (newState === 'off') throw new FormError({ push: messages.unanswered });
    return newState === 'on' ? messages.turnedOn(device) : undefined;
  };
  const turnOff = async () => {
    await turnPushOff(recipient);
    return messages.turnedOff(device);
  };
  return { state, device, form, turnOn: () => form.run(turnOn), turnOff: () => form.run(turnOff) };
}

/** The browser's own errors are for programmers. */
function inWords(err: unknown): never {
  if (err instanceof HttpError) throw err;
  reportHandledError(err);
  throw new FormError({ push: messages.failed });
}

function deviceWord(): string {
  const { userAgent, maxTouchPoints } = navigator;
  if (/iPhone|iPod|Mobi/.test(userAgent)) return 'phone';
  return /iPad|Android/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1) ? 'tablet' : 'computer';
}
