import { readDeviceCode } from '@porchlight/contract/codes.ts';
import { isTransient, Refused } from '../api/call.ts';
import { type EnrolDeps, enrol, LinkRefused, readLink } from '../api/enrol.ts';
import type { Linking, Ownership } from '../ports.ts';
import type { InForce } from '../state/in-force.ts';
import type { Identity } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';
import type { OwnershipQuestions, OwnershipRequest } from './ownership-question.ts';

export interface LinkingDeps extends EnrolDeps {
  inForce: Pick<InForce, 'asksConsent' | 'asksPin'>;
  questions: OwnershipQuestions;
  /**
   * Throws `LinkRefused` when this computer belongs to an account, or did within the last day, and what was typed is missing, wrong, or not
   * enough.
   */
  mayLink: (typed: string | undefined) => Promise<void>;
}

/** Links this computer; attempts run one at a time, so a link handed over twice enrols once. */
export function linking(deps: LinkingDeps, onLinked: (identity: Identity) => Promise<void>): Linking & Pick<Ownership, 'answer'> {
  const { store, call, inForce, questions } = deps;
  let lastAttempt: Promise<unknown> = Promise.resolve();
  const runningAttempts = new Map<string, Promise<void>>();
  const runOnce = (key: string, work: () => Promise<void>): Promise<void> => {
    const running = runningAttempts.get(key);
    if (running) return running;
    const attempt = lastAttempt
      .catch(() => {})
      .then(work)
      .finally(() => runningAttempts.delete(key));
    lastAttempt = attempt;
    runningAttempts.set(key, attempt);
    return attempt;
  };
  const joinAccount = async ({ code, link }: Pick<OwnershipRequest, 'code' | 'link'>) => {
    const identity = await enrol(deps, code);
    if (link) await store.useNonce(link.nonce);
    await onLinked(identity);
  };
  const ask = async (code: string, link: OwnershipRequest['link']): Promise<never> => {
    if (!questions.isOpen(code)) {
      const enrol_id = (await store.enrolIdOf(code)) ?? undefined;
      const { holder, device_name } = await call('POST /agent/whose', { body: { code, ...(enrol_id ? { enrol_id } : {}) } });
      questions.ask({ code, link, holder, device: device_name });
    }
    throw new LinkRefused(inForce.asksPin() ? 'pin_needed' : 'asked', messages.question.open);
  };
  const linkOrAsk = (code: string, link: OwnershipRequest['link']) =>
    inForce.asksConsent() ? ask(code, link) : joinAccount({ code, link });

  return {
    byCode(typed) {
      const code = readDeviceCode(typed) ?? typed;
      return runOnce(code, () => linkOrAsk(code, null));
    },
    byLink: (signedLink) =>
      runOnce(`${signedLink.uri} ${signedLink.signature}`, async () => {
        const { code, nonce } = await readLink(deps, signedLink);
        const { signature } = signedLink;
        if (questions.wasDeclined(signature)) throw new LinkRefused('declined', messages.question.declined);
        await linkOrAsk(readDeviceCode(code) ?? code, { nonce, signature });
      }),
    answer: (id, yes, pin) =>
      runOnce(`${id} ${yes} ${pin}`, async () => {
        const request = questions.asked(id);
        if (!request) throw new Error(messages.question.over);
        if (!yes) return questions.end(id, 'declined');
        const wait = questions.wait(id);
        if (wait > 0) throw new Error(messages.question.wait(wait));
        await deps.mayLink(pin);
        try {
          await joinAccount(request);
          questions.end(id);
        } catch (err) {
          // A refusal of the code by the server is final; after a temporary error the user may answer again.
          if (err instanceof Refused && !isTransient(err)) questions.end(id);
          throw err;
        }
      }),
  };
}
