import { matchProgram } from '@porchlight/definitions/match.ts';
import type { ProcessSeen } from '../../os/port.ts';
import type { Detector, ProgramFinding } from './detector.ts';

export const detectPrograms: Detector<ProcessSeen[], ProgramFinding> = (processes, definitions) =>
  processes.flatMap((process) => {
    const match = matchProgram(process.program, definitions);
    return match ? [{ kind: 'program', match, process }] : [];
  });
