import type { Kernel } from '../../kernel.ts';
import { type ScanDeps, scanIntake } from './intake.ts';

/** What a scan of a computer's disk has found. */
export const scanFeature = (kernel: Pick<Kernel, 'db' | 'clock' | 'notify'>, asks: Pick<ScanDeps, 'lockDevice'>) => ({
  ports: { storeScan: scanIntake({ ...kernel, ...asks }) },
});
