import { readDeviceCode } from '@porchlight/contract/codes.ts';
import { mayPass, Refused } from '../api/call.ts';
import { type EnrolDeps, enrol, LinkRefused, readLink } from '../api/enrol.ts';
import type { Linking, Ownership } from '../ports.ts';
import type { InForce } from '../state/in-force.ts';
import type { Identity } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';
import type { Asked, OwnershipQuestions } from './ownership-question.ts';

export interface LinkingDeps extends EnrolDeps {
  inForce: Pick<InForce, 'asks' | 'asksPin'>;
  questions: OwnershipQuestions;
  /** Throws `LinkRefused` when this computer belongs to an account, or did less than a day ago, and that account's PIN is missing or wrong. */
  mayLeave: (pin: string | undefined) => Promise<void>;
}

/** One attempt at a time: a link handed over twice at once enrols once. */
export function linking(deps: LinkingDeps, linked: (identity: Identity) => Promise<void>): Linking & Pick<Ownership, 'answer'> {
  const { store, call, inForce, questions } = deps;
  let last: Promise<unknown> = Promise.resolve();
  const underWay = new Map<string, Promise<void>>();
  const once = (key: string, work: () => Promise<void>): Promise<void> => {
    const running = underWay.get(key);
    if (running) return running;
    const mine = last
      .catch(() => {})
      .then(work)
      .finally(() => underWay.delete(key));
    last = mine;
    underWay.set(key, mine);
    return mine;
  };
  const become = async ({ code, link }: Pick<Asked, 'code' | 'link'>) => {
    const identity = await enrol(deps, code);
    if (link) await store.useNonce(link.nonce);
    await linked(identity);
  };
  const ask = async (code: string, link: Asked['link']): Promise<never> => {
    if (!questions.isOpen(code)) {
      const enrol_id = (await store.enrolIdOf(code)) ?? undefined;
      const { holder, device_name } = await call('POST /agent/whose', { body: { code, ...(enrol_id ? { enrol_id } : {}) } });
      questions.ask({ code, link, holder, device: device_name });
    }
    throw new LinkRefused(inForce.asksPin() ? 'pin_needed' : 'asked', messages.question.open);
  };
  const wanted = (code: string, link: Asked['link']) => (inForce.asks() ? ask(code, link) : become({ code, link }));

  return {
    byCode(typed) {
      const code = readDeviceCode(typed) ?? typed;
      return once(code, () => wanted(code, null));
    },
    byLink: (handed) =>
      once(`${handed.uri} ${handed.signature}`, async () => {
        const { code, nonce } = await readLink(deps, handed);
        const { signature } = handed;
        if (questions.wasDeclined(signature)) throw new LinkRefused('declined', messages.question.declined);
        await wanted(readDeviceCode(code) ?? code, { nonce, signature });
      }),
    answer: (id, yes, pin) =>
      once(`${id} ${yes} ${pin}`, async () => {
        const asked = questions.asked(id);
        if (!asked) throw new Error(messages.question.over);
        if (!yes) return questions.end(id, 'declined');
        const wait = questions.wait(id);
        if (wait > 0) throw new Error(messages.question.wait(wait));
        await deps.mayLeave(pin);
        try {
          await become(asked);
          questions.end(id);
        } catch (err) {
          // A used code is not asked about again; an unreachable server may answer the next yes.
          if (err instanceof Refused && !mayPass(err)) questions.end(id);
          throw err;
        }
      }),
  };
}
