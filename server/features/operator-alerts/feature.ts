import type { Kernel } from '../../kernel.ts';
import { type OperatorAlertsDeps, operatorAlerts } from './alerts.ts';

type OperatorAlertAsks = Omit<OperatorAlertsDeps, keyof Kernel | 'public_url'>;

/** Problems of the whole service, of which the operator is notified. */
export function operatorAlertFeature(kernel: Pick<Kernel, 'db' | 'clock' | 'log' | 'enqueue' | 'settings'>, asks: OperatorAlertAsks) {
  const { handlers, ownProblems, certificateExpires, ...operation } = operatorAlerts({
    ...{ ...kernel, ...asks },
    public_url: kernel.settings.public_url,
  });
  return { ports: { ownProblems, certificateExpires }, jobs: handlers, ...operation };
}
