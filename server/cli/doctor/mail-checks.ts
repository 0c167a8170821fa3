import { type Config, isLoopback } from '../../config.ts';
import { whyNoMailServer } from '../../integrations/mail/try-smtp.ts';
import { deadLetters } from '../../jobs/dead-letters.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Network } from '../network.ts';
import { timeText } from '../values.ts';
import { type Check, error, type Finding, ok, unknown, warning } from './check.ts';
import { type OpenedDatabase, withDatabase } from './database-checks.ts';
import { noMailServer, sendTestMail, testMailText } from './test-mail.ts';

/** In milliseconds. Emails leave within seconds, so an older one has a reason. */
const waitLimit = 15 * 60_000;

interface MailDeps {
  config: Config;
  clock: Clock;
  network: Network;
  database: Promise<OpenedDatabase>;
  /** Where a test email goes; undefined: none is sent. */
  mailTo: string | undefined;
}

export function mailChecks({ config, clock, network, database, mailTo }: MailDeps): Check[] {
  const { smtp_url, mail_from } = config;
  const queue = withDatabase({ database }, { id: 'mail.queue' }, (db) => queueFinding(deadLetters(db, clock), clock.now()));
  if (smtp_url === undefined) {
    const noServer = isLoopback(config.public_url) ? ok : warning;
    const found = mailTo === undefined ? noServer(noMailServer) : error(noMailServer);
    return [{ id: 'mail.server', needs: ['SMTP_URL'], run: () => found }, queue];
  }
  const domain = domainOf(mail_from);
  return [
    { id: 'mail.server', needs: ['SMTP_URL'], run: () => serverFinding(smtp_url) },
    { id: 'mail.encryption', needs: ['SMTP_URL'], late: 'unknown', run: () => encryptionFinding(smtp_url) },
    { id: 'mail.spf', needs: ['MAIL_FROM'], run: () => spfFinding(network, domain) },
    { id: 'mail.dmarc', needs: ['MAIL_FROM'], run: () => dmarcFinding(network, domain) },
    ...(mailTo === undefined
      ? []
      : [
          {
            id: 'mail.test',
            needs: ['SMTP_URL', 'MAIL_FROM'],
            async run() {
              const result = await sendTestMail({ smtp_url, mail_from }, mailTo, network.limits.check);
              return (result.accepted ? ok : error)(testMailText(result, mailTo));
            },
          } satisfies Check,
        ]),
    queue,
  ];
}

async function serverFinding(smtp_url: string): Promise<Finding> {
  const problem = await whyNoMailServer(smtp_url);
  return problem === null ? ok(`The mail server (${new URL(smtp_url).host}) answers and lets us in.`) : error(problem);
}

/** Whether emails, which contain links that need no password, are encrypted on their way to the mail server. */
async function encryptionFinding(smtp_url: string): Promise<Finding> {
  const url = new URL(smtp_url);
  if (url.protocol === 'smtps:') return ok('The connection to the mail server is encrypted from its beginning.');
  if (isLoopback(`http://${url.host}`)) return ok('The mail server runs on this computer; nothing goes over a network.');
  url.searchParams.set('requireTLS', 'true');
  if ((await whyNoMailServer(url.href)) === null) return ok('The connection to the mail server is encrypted (STARTTLS).');
  if ((await whyNoMailServer(smtp_url)) !== null) return unknown('This cannot be checked without the mail server.');
  return warning('The mail server takes emails and the password without encryption. Use an smtps:// address, or a server with STARTTLS.');
}

const domainOf = (mail_from: string) => /@([^\s<>@]+)>?$/.exec(mail_from)?.[1]?.toLowerCase() ?? '';

async function spfFinding({ txtOf }: Network, domain: string): Promise<Finding> {
  const records = await recordsOf(txtOf, domain);
  if ('problem' in records) return unknown(`The DNS records of ${domain} cannot be read (${records.problem}).`);
  const spf = records.texts.filter((text) => /^v=spf1( |$)/i.test(text));
  if (spf.length > 1) return warning(`${domain} has ${spf.length} SPF records, and then none counts. Make them one.`);
  const [record] = spf;
  if (record !== undefined) return ok(`${domain} has the SPF record "${record}".`);
  return warning(
    `${domain}, the domain of MAIL_FROM, has no SPF record, so emails may be taken for spam. Add the TXT record that your mail provider names, such as "v=spf1 include:… -all".`,
  );
}

async function dmarcFinding({ txtOf }: Network, domain: string): Promise<Finding> {
  for (const name of domainAndAbove(domain)) {
    const records = await recordsOf(txtOf, `_dmarc.${name}`);
    if ('problem' in records) return unknown(`The DNS records of _dmarc.${name} cannot be read (${records.problem}).`);
    const record = records.texts.find((text) => /^v=DMARC1\b/i.test(text));
    if (record !== undefined) return ok(`${name} has the DMARC record "${record}".`);
  }
  return warning(
    `${domain}, the domain of MAIL_FROM, has no DMARC record, and large mail providers refuse such emails. Add the TXT record _dmarc.${domain}, such as "v=DMARC1; p=quarantine".`,
  );
}

/** The domain and those above it, but no top-level domain: DMARC of the organisation counts for its subdomains. */
export function domainAndAbove(domain: string): string[] {
  const labels = domain.split('.');
  return labels.flatMap((_label, i) => (i === 0 || labels.length - i >= 2 ? [labels.slice(i).join('.')] : []));
}

async function recordsOf(txtOf: Network['txtOf'], name: string): Promise<{ texts: string[] } | { problem: string }> {
  try {
    return { texts: await txtOf(name) };
  } catch (err) {
    const { code = '' } = err as NodeJS.ErrnoException;
    return code === 'ENODATA' || code === 'ENOTFOUND' ? { texts: [] } : { problem: code || String(err) };
  }
}

async function queueFinding({ waiting, list }: ReturnType<typeof deadLetters>, now: Date): Promise<Finding> {
  const [{ lanes, away }, { all: deadCount }] = [await waiting(), await list(1)];
  const oldest = lanes.flatMap((lane) => lane.oldest ?? []).sort((a, b) => a.getTime() - b.getTime())[0];
  const waitingCount = lanes.reduce((sum, { count }) => sum + count, 0);
  const waitingText = oldest ? `${waitingCount} wait, the oldest since ${timeText(oldest)}` : 'nothing waits';
  const deadText = deadCount ? `${deadCount} could not be sent in the last 30 days` : 'nothing failed';
  const text = `Emails and text messages: ${waitingText}, and ${deadText}.`;
  const hint = 'Run: npm run porchlight -- mail list';
  if (away[0]) return error(`${text} Nothing is accepted since ${timeText(away[0].since)}: ${away[0].reason}. ${hint}`);
  if (oldest && now.getTime() - oldest.getTime() > waitLimit) return error(`${text} Is the server running? ${hint}`);
  return deadCount ? warning(`${text} ${hint}`) : ok(text);
}
