import type { Category, Certainty } from '@porchlight/contract/shapes.ts';

/** The tables of what people say of alerts. */
export interface AnswerTables {
  /** What people said of an alert; it goes with the device. `person`: the account, or the guardian. `name`: as it was then. */
  alert_answers: { account: string; device: string; alert: string; person: string; answer: 'mine' | 'sorted'; name: string; time: Date };
  /** Which alerts the holder called wrong. What was matched stands in `wrong_matches`, which knows no account. */
  wrong_alerts: { account: string; device: string; alert: string; time: Date };
  /** What people called wrong, for the operator. `file`: without its folder; empty for a site. The days: in UTC, `2026-11-22`. */
  wrong_matches: {
    identifier: string;
    name: string;
    category: Category;
    certainty: Certainty;
    file: string;
    count: number;
    first_day: string;
    last_day: string;
  };
}
