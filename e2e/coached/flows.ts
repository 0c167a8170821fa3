import { flowAnswers } from './flow-answers.ts';
import { flowGaps } from './flow-gaps.ts';
import { flowPaused } from './flow-paused.ts';
import { flowStops } from './flow-stops.ts';
import { flowUnlisted } from './flow-unlisted.ts';
import type { Way } from './way.ts';

/** The real scams of `docs/what-it-stops.md`, step by step as a victim does them. */
export const flows: Way[] = [...flowStops, ...flowPaused, ...flowUnlisted, ...flowAnswers, ...flowGaps].sort(
  (a, b) => (a.flow ?? 0) - (b.flow ?? 0),
);
