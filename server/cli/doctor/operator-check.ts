import type { Config } from '../../config.ts';
import { type Check, type Finding, ok, warning } from './check.ts';

type OperatorSettings = Pick<Config, 'operator' | 'production' | 'texts'>;

export const operatorCheck = (config: OperatorSettings): Check => ({
  id: 'operator.notified',
  needs: ['OPERATOR_EMAIL', 'OPERATOR_PHONE', 'OPERATOR_WEBHOOK'],
  run: () => operatorFinding(config),
});

/** An email cannot notify anyone of a mail server that accepts nothing. */
export function operatorFinding({ operator, production, texts }: OperatorSettings): Finding {
  const ways = [
    ...(operator.phone !== null && texts !== 'off' ? ['by text'] : []),
    ...(operator.webhook !== null ? ['to OPERATOR_WEBHOOK'] : []),
  ];
  const text = `Problems of the whole service are reported to ${operator.email}`;
  if (!ways.length && production)
    return warning(`${text} only: if mail fails, nobody is notified. Set OPERATOR_PHONE or OPERATOR_WEBHOOK.`);
  return ok(`${[text, ...ways].join(', and ')}.`);
}
