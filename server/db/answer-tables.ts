import type { Certainty, DetectionCategory } from '@porchlight/contract/shapes.ts';

export interface AnswerTables {
  /** Deleted with the device. `person`: the id of the account or guardian. `name`: of the holder or guardian, at that time. */
  alert_answers: { account: string; device: string; alert: string; person: string; answer: 'mine' | 'sorted'; name: string; time: Date };
  /** Alerts that the holder reported as wrong. The match itself is in `wrong_matches`, without the account. */
  wrong_alerts: { account: string; device: string; alert: string; time: Date };
  /** For the operator. `file`: without its folder; empty for a site. `evidence`: empty for matches before it was stored. Days: in UTC, `2026-11-22`. */
  wrong_matches: {
    identifier: string;
    name: string;
    category: DetectionCategory;
    certainty: Certainty;
    file: string;
    evidence: string;
    count: number;
    first_day: string;
    last_day: string;
  };
}
