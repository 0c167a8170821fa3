import { type TwilioAccount, twilioApi } from '../twilio/api.ts';
import { isSignedByTwilio } from '../twilio/signature.ts';
import { CallFailed, CallRefused, type VoiceCaller } from './voice.ts';

/** `calls_url`: our public address of the webhooks, without a slash at the end. */
export type TwilioVoice = TwilioAccount & { calls_url: string };

/** Seconds: about five rings, before most voicemail picks up. */
const ring_seconds = 25;

/**
 * https://www.twilio.com/docs/voice/api/call-resource. `DetectMessageEnd`: a human hears us at once, voicemail after its tone. The
 * `initiated` event is reported at once, so that a call whose acceptance could not be stored is not made again. `timeout`: in
 * milliseconds, for one request.
 */
export function twilioVoice({ calls_url, ...account }: TwilioVoice, timeout = 10_000): VoiceCaller {
  const api = twilioApi(account, timeout);
  const urlOf = (path: string, id: string) => `${calls_url}/${path}?call=${encodeURIComponent(id)}`;
  return {
    from: account.from,
    async call({ id, to }) {
      const form = new URLSearchParams({
        To: to,
        From: account.from,
        Url: urlOf('words', id),
        Method: 'POST',
        StatusCallback: urlOf('status', id),
        StatusCallbackMethod: 'POST',
        MachineDetection: 'DetectMessageEnd',
        Timeout: String(ring_seconds),
      });
      for (const event of ['initiated', 'answered', 'completed']) form.append('StatusCallbackEvent', event);
      const answer = await api.post('Calls', form);
      if (answer.kind === 'accepted') return;
      const { status, code } = answer;
      if (answer.kind === 'refused') throw new CallRefused(`the call was refused for good (${status}, ${code})`);
      throw new CallFailed(answer.fault, { ...(status ? { status } : {}), code: String(code) });
    },
    hasSigned: (address, fields, signature) => isSignedByTwilio(account.auth_token, address, fields, signature),
    close: async () => api.close(),
  };
}
