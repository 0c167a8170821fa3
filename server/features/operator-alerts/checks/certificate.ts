import { hour, minute } from '@porchlight/contract/time.ts';
import { type Certificate, certificateFault } from '../../../lib/ask-address.ts';
import { after, type Clock } from '../../../lib/clock.ts';
import { bad, good, type Reading, unknown } from '../problem-rule.ts';
import type { OperatorSurroundings } from '../surroundings.ts';
import type { OperationCheck } from './check.ts';

/** Certificates are renewed a month before their end. */
const ends_within = 14 * 24 * hour;
/** In milliseconds, for the whole call. */
const ask_timeout = 8_000;
const read_every = { good: 6 * hour, unknown: 10 * minute, bad: 1 * minute };

export interface CertificateDeps {
  public_url: string;
  clock: Clock;
  askAddress: OperatorSurroundings['askAddress'];
}

/** The certificate with which the public address answers, as this server sees it. */
export function certificateCheck({ public_url, clock, askAddress }: CertificateDeps) {
  let certificate: Certificate | null = null;
  let next = new Date(0);

  const reading = (): Reading => {
    if (!certificate) return unknown;
    if (certificate.problem !== null) return bad(`it ${certificateFault(certificate.problem)}`);
    const { ends } = certificate;
    return ends < after(clock.now(), ends_within) ? bad(`it ends on ${ends.toISOString().slice(0, 10)}`) : good;
  };
  const check: OperationCheck = {
    key: 'certificate',
    reads_own: true,
    async read(isKnown) {
      const now = clock.now();
      if (now >= next || (isKnown && after(now, read_every.bad) < next)) {
        next = after(now, read_every.unknown);
        certificate = await certificateOfThisService(public_url, askAddress);
        next = after(now, read_every[reading().state]);
      }
      return reading();
    },
  };
  return { check, expires: () => certificate?.ends ?? null };
}

/**
 * Null where this server does not reach its own public address, or something else answers there: within some networks the public address
 * leads to the router, whose certificate is not ours.
 */
async function certificateOfThisService(public_url: string, ask: CertificateDeps['askAddress']): Promise<Certificate | null> {
  const answer = await ask(new URL('/healthz', public_url), AbortSignal.timeout(ask_timeout)).catch(() => null);
  return answer?.status === 200 && answer.body === '{"ok":true}' ? answer.certificate : null;
}
