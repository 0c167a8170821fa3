import { counted } from '@porchlight/contract/language.ts';
import type { Config } from '../../config.ts';
import { warningsOf } from '../../config.ts';
import { within } from '../../lib/within.ts';
import { type Command, type CommandReport, type Surroundings } from '../command-deps.ts';
import { readOptions } from '../usage.ts';
import { email } from '../values.ts';
import { addressChecks, publicAddress } from './address-checks.ts';
import { type Check, error, type Finding, ok, type State, unknown, warning } from './check.ts';
import { clockCheck } from './clock-check.ts';
import { computerChecks, nodeCheck } from './computer.ts';
import { closeWithin, databaseChecks, type OpenedDatabase, openUnchanged } from './database-checks.ts';
import { fileChecks } from './file-checks.ts';
import { keyChecks } from './key-checks.ts';
import { mailChecks } from './mail-checks.ts';
import { secretMasker } from './mask.ts';
import { isGatewayOfNats, natsChecks } from './nats-checks.ts';
import { paymentChecks } from './payment-checks.ts';
import { type Result, runChecks } from './run-checks.ts';
import { textChecks } from './text-checks.ts';
import { type UsableSettings, usableSettings } from './usable-settings.ts';

interface Options {
  'mail-to'?: string | undefined;
  backups?: string | undefined;
  strict?: boolean | undefined;
  json?: boolean | undefined;
}

export const doctor: Command = {
  name: 'doctor',
  usage: '[--mail-to ADDRESS] [--backups DIR] [--strict] [--json]',
  help: `Checks settings, folders, database, NATS, keys, mail, text messages, payments, the public address and the files, and says what to do.
    --mail-to ADDRESS  Sends an email there, and shows what the mail server answered.
    --backups DIR      Also checks that the newest backup in this folder is not older than 26 hours.
    --strict           A warning, or what cannot be known, is an error too.
    --json             One JSON document, for programs.`,
  readStandalone: (args) => {
    const options = readOptions('doctor', args, {
      'mail-to': { type: 'string' },
      backups: { type: 'string' },
      strict: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    if (options['mail-to'] !== undefined) options['mail-to'] = email('--mail-to', options['mail-to']);
    return (surroundings) => examine(options, surroundings);
  },
};

async function examine(options: Options, surroundings: Surroundings): Promise<CommandReport> {
  const { env, clock, network } = surroundings;
  const settings = usableSettings(env);
  const opening = openExamined(settings);
  const database = within<OpenedDatabase, OpenedDatabase>(opening, network.limits.check, () => ({
    ...unreachable,
    finding: error(`The database did not answer within ${network.limits.check / 1000} seconds. Check DATABASE_URL, and whether it runs.`),
  }));
  const ended = new AbortController();
  try {
    const checks = checksOf(options, surroundings, settings, database, ended.signal);
    const results = await runChecks(checks, settings.broken, network.limits.check);
    return reportOf(results, options, secretMasker(env), clock.now());
  } finally {
    ended.abort();
    await closeWithin(opening, network.limits.close);
  }
}

const unreachable = { db: null, max_connections: 0, close: async () => {} };

/** With a wrong DATABASE_URL the default would be another database. */
async function openExamined({ config, broken }: UsableSettings): Promise<OpenedDatabase> {
  if (broken.has('DATABASE_URL') || broken.has('DATA_DIR'))
    return { ...unreachable, finding: unknown('The settings of the database are wrong.') };
  if (isGatewayOfNats(config)) return { ...unreachable, finding: ok('A gateway with NATS has no database.') };
  return openUnchanged(config);
}

/** Every check, in the order in which they are printed. */
function checksOf(
  { 'mail-to': mailTo, backups }: Options,
  { env, clock, network }: Surroundings,
  settings: UsableSettings,
  database: Promise<OpenedDatabase>,
  signal: AbortSignal,
): Check[] {
  const { config } = settings;
  if (isGatewayOfNats(config)) return [...settingChecks(settings), nodeCheck, ...natsChecks(config)];
  const address = publicAddress(config, network, signal);
  return [
    ...settingChecks(settings),
    ...computerChecks(config),
    ...databaseChecks(config, clock, database),
    ...natsChecks(config),
    ...keyChecks(config, env.RELEASE_KEY || undefined, database),
    clockCheck({ config, clock, address, database }),
    ...mailChecks({ config, clock, network, database, mailTo }),
    ...textChecks(config),
    ...paymentChecks({ config, clock, network, database }),
    ...addressChecks(config, address, clock, database),
    ...fileChecks({ config, clock, database, backups }),
    operatorCheck(config),
  ];
}

function settingChecks({ config, errors }: UsableSettings): Check[] {
  const warnings = warningsOf(config);
  return [
    { id: 'settings.valid', run: () => (errors.length ? errors.map(error) : ok('Every setting is understood.')) },
    ...(warnings.length
      ? [{ id: 'settings.warnings', needs: ['PUBLIC_URL', 'TRUST_PROXY'], run: () => warnings.map(warning) } satisfies Check]
      : []),
  ];
}

const labels: Record<State, string> = { ok: 'OK', warning: 'WARNING', error: 'ERROR', unknown: 'UNKNOWN' };

function reportOf(results: Result[], { json, strict }: Options, masked: (text: string) => string, now: Date): CommandReport {
  const count = (state: State) => results.filter((result) => result.state === state).length;
  const failed = count('error') > 0 || (strict === true && count('warning') + count('unknown') > 0);
  const code = failed ? 1 : 0;
  const checks = results.map(({ id, state, text }) => ({ id, state, text: masked(text) }));
  if (json) return { code, sentences: [JSON.stringify({ checked: now.toISOString(), ok: !failed, checks })] };
  const summary = [
    plural(count('error'), 'error'),
    plural(count('warning'), 'warning'),
    ...(count('unknown') ? [`${count('unknown')} not known`] : []),
  ].join(', ');
  return {
    code,
    sentences: [
      ...checks.map(({ id, state, text }) => `${labels[state].padEnd(7)}  ${id.padEnd(22)}${text}`),
      `${results.length} results: ${summary}.`,
    ],
  };
}

const plural = (n: number, noun: string) => (n === 0 ? `no ${noun}s` : counted(n, noun));

type OperatorSettings = Pick<Config, 'operator' | 'production' | 'texts'>;

const operatorCheck = (config: OperatorSettings): Check => ({
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
