import type { SharedDocument } from '../ports.ts';
import type { SignedPost } from './phones.ts';

export type CallResult = 'completed' | 'busy' | 'no-answer' | 'failed';

/** A call to a simulated phone. `words`: what was read, a sentence each. */
export interface PhoneCall {
  /** Begins with the time, as the ids of text messages do. */
  id: string;
  received: string;
  sid: string;
  to: string;
  state: 'ringing' | 'talking' | 'ended';
  result: CallResult | null;
  /** Whether voicemail picked up. */
  voicemail: boolean;
  words: string[];
  pressed: string[];
  words_url: string;
  status_url: string | null;
  status_events: string[];
  /** Where a key is posted to; null while none is awaited. */
  action: string | null;
  /** How long it rings, in milliseconds. */
  rings: number;
}

export interface StoredCalls {
  calls: PhoneCall[];
}

/** What a tester does with a phone. Each is ignored where it is impossible, such as picking up a call that has ended. */
export interface CallActions {
  answer(id: string): Promise<void>;
  voicemail(id: string): Promise<void>;
  busy(id: string): Promise<void>;
  /** Nobody picks up. */
  ignore(id: string): Promise<void>;
  press(id: string, key: string): Promise<void>;
  hangUp(id: string): Promise<void>;
}

export interface PhoneCalls extends CallActions {
  list(): Promise<PhoneCall[]>;
  /** Stores a call that the API accepts. */
  place(sid: string, form: URLSearchParams): Promise<PhoneCall>;
  /** The phone begins to ring. */
  ring(call: PhoneCall): Promise<void>;
  close(): void;
}

const ringsByDefault = 60_000;
const newest = 500;
/** In milliseconds: the words twice, and the wait for a key. */
const talks = 60_000;
/** In milliseconds: a server that has just started hears no reports yet. */
const starts = 5_000;

/**
 * Phones that ring, are picked up, and hear TwiML. Webhooks are posted as Twilio posts them. `timers`: a call that has rung for its time,
 * or that nobody presses a key in, ends by itself; without timers a test says when.
 */
export function simulatedCalls(document: SharedDocument<StoredCalls>, post: SignedPost, timers: boolean): PhoneCalls {
  const running = new Set<NodeJS.Timeout>();

  /** Changes a call that is in one of these states; null if it is not. */
  const change = (id: string, states: PhoneCall['state'][], work: (call: PhoneCall) => void): Promise<PhoneCall | null> =>
    document.change(({ calls }) => {
      const call = calls.find((one) => one.id === id);
      if (!call || !states.includes(call.state)) return null;
      work(call);
      return structuredClone(call);
    });

  const fieldsOf = ({ sid, to }: PhoneCall, status: string) => ({ CallSid: sid, To: to, CallStatus: status, Direction: 'outbound-api' });
  const answeredBy = ({ voicemail }: PhoneCall) => ({ AnsweredBy: voicemail ? 'machine_end_beep' : 'human' });

  /** A failed report is not repeated. */
  const report = async (call: PhoneCall, event: string, status: string) => {
    if (call.status_url === null || !call.status_events.includes(event)) return;
    await post(call.status_url, { ...fieldsOf(call, status), CallbackSource: 'call-progress-events' }).catch(() => {});
  };

  const end = async (id: string, states: PhoneCall['state'][], result: CallResult) => {
    const ended = await change(id, states, (call) => Object.assign(call, { state: 'ended', result, action: null }));
    if (ended) await report(ended, 'completed', result);
  };

  /** Reads what the server answers to the phone, and hangs up unless a key is awaited. */
  const hear = async (call: PhoneCall, url: string, fields: Record<string, string>) => {
    const form = { ...fieldsOf(call, 'in-progress'), ...answeredBy(call), ...fields };
    const { status, body } = await post(url, form).catch(() => ({ status: 0, body: '' }));
    const { words, action } = status === 200 ? readTwiml(body) : { words: ['An application error has occurred. Goodbye.'], action: null };
    await change(call.id, ['talking'], (one) => {
      one.words.push(...words);
      one.action = call.voicemail ? null : action;
    });
    if (action === null || call.voicemail) await end(call.id, ['talking'], 'completed');
  };

  /** `soonest`: in milliseconds from now. */
  const endLater = ({ id, received, rings, state }: PhoneCall, soonest = 0) => {
    if (!timers || state === 'ended') return;
    const ends = Date.parse(received) + rings + (state === 'talking' ? talks : 0);
    const timer = setTimeout(
      () => {
        running.delete(timer);
        void end(id, [state], state === 'ringing' ? 'no-answer' : 'completed').catch(() => {});
      },
      Math.max(soonest, ends - Date.now()),
    );
    running.add(timer.unref());
  };

  const pickUp = async (id: string, voicemail: boolean) => {
    const call = await change(id, ['ringing'], (one) => Object.assign(one, { state: 'talking', voicemail }));
    if (!call) return;
    endLater(call);
    await report(call, 'answered', 'in-progress');
    await hear(call, call.words_url, {});
  };

  const list = () => document.read(({ calls }) => structuredClone(calls));
  // Calls that went on when the process ended.
  void list()
    .then((calls) => calls.forEach((call) => endLater(call, starts)))
    .catch(() => {});

  return {
    list,
    async place(sid, form) {
      const received = new Date().toISOString();
      const call: PhoneCall = {
        id: `${received.replaceAll(':', '')}-${sid}`,
        ...{ received, sid, state: 'ringing', result: null, voicemail: false, words: [], pressed: [], action: null },
        to: form.get('To') ?? '',
        words_url: form.get('Url') ?? '',
        status_url: form.get('StatusCallback'),
        status_events: form.getAll('StatusCallbackEvent').length ? form.getAll('StatusCallbackEvent') : ['completed'],
        rings: Number(form.get('Timeout')) * 1000 || ringsByDefault,
      };
      await document.change((content) => {
        content.calls = [...content.calls, call].slice(-newest);
      });
      return call;
    },
    async ring(call) {
      endLater(call);
      await report(call, 'initiated', 'initiated');
    },
    answer: (id) => pickUp(id, false),
    voicemail: (id) => pickUp(id, true),
    busy: (id) => end(id, ['ringing'], 'busy'),
    ignore: (id) => end(id, ['ringing'], 'no-answer'),
    async press(id, key) {
      let action: string | null = null;
      const call = await change(id, ['talking'], (one) => {
        ({ action } = one);
        if (action !== null) Object.assign(one, { action: null, pressed: [...one.pressed, key] });
      });
      if (call && action !== null) await hear(call, action, { Digits: key });
    },
    hangUp: (id) => end(id, ['talking'], 'completed'),
    close() {
      for (const timer of running) clearTimeout(timer);
    },
  };
}

/** What a TwiML answer makes a phone do (https://www.twilio.com/docs/voice/twiml). */
interface Instructions {
  words: string[];
  /** Where a pressed key is posted to; null if no key is awaited. */
  action: string | null;
}

function readTwiml(xml: string): Instructions {
  const words = [...xml.matchAll(/<Say\b[^>]*>([^<]*)<\/Say>/g)].map(([, text = '']) => unescape(text));
  const action = /<Gather\b[^>]*\baction="([^"]*)"/.exec(xml)?.[1];
  return { words, action: action === undefined ? null : unescape(action) };
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescape = (text: string) =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (all, code: string | undefined, name: string | undefined) =>
    code === undefined ? (named[name ?? ''] ?? all) : String.fromCodePoint(Number(code)),
  );
