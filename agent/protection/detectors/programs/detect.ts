import { actionFor, matchProgram } from '@porchlight/definitions/match.ts';
import type { Detector } from '../detector.ts';

/** Programs that match a definition; what the person has allowed is not there. */
export const detectPrograms: Detector = ({ processes, now }, rules, definitions) =>
  processes.flatMap((process) => {
    const match = matchProgram(process.program, definitions);
    if (!match) return [];
    const wanted = actionFor(match, rules, now);
    return wanted === 'ignore' ? [] : [{ match, process, wanted }];
  });
