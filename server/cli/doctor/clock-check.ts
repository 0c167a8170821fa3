import { isIP } from 'node:net';
import { type Config, isLoopback } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import { ownAddresses, type PublicAddress } from './address-checks.ts';
import { type Check, error, type Finding, ok, unknown, warning } from './check.ts';
import { clockDifference, inWords, type OpenedDatabase } from './database-checks.ts';

/** In milliseconds. A one-time code is valid for some of half a minute before and after. */
const limits = { warning: 10_000, error: 60_000 };

interface ClockDeps {
  config: Config;
  clock: Clock;
  address: PublicAddress;
  database: Promise<OpenedDatabase>;
}

/** `name`: of the other clock. `isOther`: it belongs to another computer, as far as addresses show. */
interface Comparison {
  name: string;
  aheadMs: number;
  isOther: boolean;
}

/** Compares this computer's clock with those of the operator's own servers, because asking strangers would be a call to a third party. */
export function clockCheck(deps: ClockDeps): Check {
  return {
    id: 'clock.computer',
    late: 'unknown',
    after: deps.database,
    run: async () => clockFinding((await Promise.all([databaseComparison(deps), addressComparison(deps)])).flat()),
  };
}

async function databaseComparison({ config, clock, database }: ClockDeps): Promise<Comparison[]> {
  const { db } = await database;
  if (!db) return [];
  const host = config.database_url === undefined ? '' : new URL(config.database_url).hostname;
  const isOther = host !== '' && !isLoopback(`http://${host}`) && !(isIP(host) && ownAddresses().includes(host));
  return [{ name: 'the database', aheadMs: await clockDifference(db, clock), isOther }];
}

/** The header has whole seconds, the beginning of the second that it names. */
async function addressComparison({ address, clock }: ClockDeps): Promise<Comparison[]> {
  const [answer, addresses] = await Promise.all([address.readyz().catch(() => null), address.addresses().catch(() => [])]);
  const date = Date.parse(answer?.headers.date ?? '');
  if (Number.isNaN(date)) return [];
  const own = ownAddresses();
  return [{ name: address.url.host, aheadMs: clock.now().getTime() - date - 500, isOther: !addresses.some((one) => own.includes(one)) }];
}

export function clockFinding(comparisons: Comparison[]): Finding {
  const wrong = comparisons.find(({ aheadMs }) => Math.abs(aheadMs) >= limits.warning);
  if (wrong) {
    const text = `This computer's clock is ${inWords(Math.abs(wrong.aheadMs))} ${wrong.aheadMs > 0 ? 'ahead of' : 'behind'} that of ${wrong.name}. Synchronise both by NTP: codes and signed policies depend on the time.`;
    return (Math.abs(wrong.aheadMs) < limits.error ? warning : error)(text);
  }
  const others = comparisons.filter(({ isOther }) => isOther).map(({ name }) => name);
  if (others.length) return ok(`This computer's clock agrees with that of ${others.join(' and ')}.`);
  return unknown(
    'Whether the clock of this computer is right cannot be known: no other computer of yours was asked. Check that NTP runs, as with timedatectl.',
  );
}
