import { randomUUID } from 'node:crypto';
import type { AccountHolder } from '@porchlight/contract/agent.ts';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { Question } from '../ports.ts';

/** The account that this computer would join. `link`: by which a declined link is recognised; null for a typed code. */
export interface Asked {
  code: string;
  link: { nonce: string; signature: string } | null;
  holder: AccountHolder;
  device: string;
}

export interface OwnershipQuestions {
  /** Replaces the open question. */
  ask(asked: Asked): void;
  isOpen(code: string): boolean;
  /** For the page: yes counts ten seconds after the first call. Null when no question is open. */
  show(): Question | null;
  /** Null when the question is no longer open. */
  asked(id: string): Asked | null;
  /** Milliseconds until yes is taken. */
  wait(id: string): number;
  /** Ends it. `declined`: the person said no, so the same link is not asked about again. */
  end(id: string, declined?: 'declined'): void;
  wasDeclined(signature: string): boolean;
}

/** So many links that were declined are known again. */
const declinedMax = 50;

/** The one question that may be open; without an answer within ten minutes the answer is no (P10.8). `up`: milliseconds, by what nobody can set. */
export function questions(up: () => number): OwnershipQuestions {
  let open: (Asked & { id: string; since: number; shown: number | null }) | null = null;
  const declined = new Set<string>();
  const current = () => (open && up() - open.since < agentLimits.question_open ? open : null);
  const of = (id: string) => (current()?.id === id ? current() : null);
  return {
    ask(asked) {
      open = { ...asked, id: randomUUID(), since: up(), shown: null };
    },
    isOpen: (code) => current()?.code === code,
    show() {
      const now = current();
      if (!now) return null;
      now.shown ??= up();
      return { id: now.id, holder: now.holder, device: now.device };
    },
    asked: of,
    wait(id) {
      const since = of(id)?.shown ?? null;
      return since === null ? agentLimits.yes_after : Math.max(0, since + agentLimits.yes_after - up());
    },
    end(id, how) {
      const now = of(id);
      if (!now) return;
      if (how === 'declined' && now.link) declined.add(now.link.signature);
      const [oldest] = declined;
      if (declined.size > declinedMax && oldest) declined.delete(oldest);
      open = null;
    },
    wasDeclined: (signature) => declined.has(signature),
  };
}
