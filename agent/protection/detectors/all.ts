import type { Detector } from './detector.ts';
import { detectPrograms } from './programs/detect.ts';

/** Every kind of threat that is looked for. */
export const detectors: Detector[] = [detectPrograms];
