import { randomUUID } from 'node:crypto';
import type { AccountHolder } from '@porchlight/contract/agent.ts';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { Question } from '../ports.ts';

/** A request to join an account. `link` identifies a link when the user declines it; null for a typed code. */
export interface OwnershipRequest {
  code: string;
  link: { nonce: string; signature: string } | null;
  holder: AccountHolder;
  device: string;
}

export interface OwnershipQuestions {
  ask(asked: OwnershipRequest): void;
  isOpen(code: string): boolean;
  /** The open question, for the window; it can be accepted ten seconds after the first call. Null without an open question. */
  show(): Question | null;
  asked(id: string): OwnershipRequest | null;
  wait(id: string): number;
  /** `declined`: the same link opens no question again. */
  end(id: string, declined?: 'declined'): void;
  wasDeclined(signature: string): boolean;
}

const DECLINED_MAX = 50;

/** At most one open question, declined automatically after ten minutes (P10.8). `up`: monotonic milliseconds. */
export function ownershipQuestions(up: () => number): OwnershipQuestions {
  let storedQuestion: (OwnershipRequest & { id: string; since: number; shown: number | null }) | null = null;
  const declined = new Set<string>();
  const current = () => (storedQuestion && up() - storedQuestion.since < agentLimits.question_open ? storedQuestion : null);
  const openQuestion = (id: string) => (current()?.id === id ? current() : null);
  return {
    ask(request) {
      storedQuestion = { ...request, id: randomUUID(), since: up(), shown: null };
    },
    isOpen: (code) => current()?.code === code,
    show() {
      const question = current();
      if (!question) return null;
      question.shown ??= up();
      return { id: question.id, holder: question.holder, device: question.device };
    },
    asked: openQuestion,
    wait(id) {
      const since = openQuestion(id)?.shown ?? null;
      return since === null ? agentLimits.yes_after : Math.max(0, since + agentLimits.yes_after - up());
    },
    end(id, outcome) {
      const question = openQuestion(id);
      if (!question) return;
      if (outcome === 'declined' && question.link) declined.add(question.link.signature);
      const [oldest] = declined;
      if (declined.size > DECLINED_MAX && oldest) declined.delete(oldest);
      storedQuestion = null;
    },
    wasDeclined: (signature) => declined.has(signature),
  };
}
