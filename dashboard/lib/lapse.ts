import type { HeldRequest } from '@porchlight/contract/held-requests.ts';

/** Why a lapsed request changed nothing: a no was in force until it lapsed, or what was let through was not done, or nobody answered. */
export type Lapse = 'refused' | 'unused' | 'unanswered';

export function lapseOf({ answers, lifted }: Pick<HeldRequest, 'answers' | 'lifted'>): Lapse {
  if (answers.some(({ answer }) => answer === 'no')) return 'refused';
  return answers.length > 0 || lifted ? 'unused' : 'unanswered';
}
