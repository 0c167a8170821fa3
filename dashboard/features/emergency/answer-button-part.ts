import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
import type { ComponentType } from 'react';

export interface AnswerButtonProps {
  /** The guardian's id. */
  id: string;
  label: string;
  kind?: 'danger' | 'danger full';
  big?: boolean;
  /** The confirmation is open from the start. */
  opened?: boolean;
  may?: MayAnswer;
  ask: { heading: string; body: string; confirm: string } | null;
  answer: (code?: string) => Promise<unknown>;
  done: () => void;
}

/** The button of an answer, with its confirmation and proof; another feature's. */
export type AnswerButtonPart = ComponentType<AnswerButtonProps>;
