import { brand } from '@porchlight/contract/brand.ts';
import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { utcText } from '../../texts/formatting.ts';
import { oneSmsFrom } from '../../texts/sms-text.ts';

/** One notification to the operator. `ended`: null while the problem lasts. `isFirst`: nobody could be notified when it began. */
export interface Announcement {
  key: string;
  since: Date;
  detail: string;
  ended: Date | null;
  isFirst: boolean;
}

export interface OperatorMessage {
  mail: WrittenEmail;
  sms: string;
  /** For the webhook and for the log. */
  text: string;
}

interface Words {
  /** `detail`: what the check read. */
  wrong(detail: string): string;
  /** What people notice. */
  meaning: string;
  todo: string;
  well: string;
}

const doctor = 'npm run porchlight -- doctor';
const runDoctor = `Run: ${doctor}. It says what to do.`;

const wordsOf: Record<string, Words> = {
  mail: {
    wrong: (detail) => `The mail server accepts no email: ${detail}.`,
    meaning: 'Nobody gets alerts, codes or reports by email. No email is lost: they wait. Text messages and push messages still leave.',
    todo: runDoctor,
    well: 'The mail server accepts email again. What waited is being sent now.',
  },
  sms: {
    wrong: (detail) => `No text message leaves: ${detail}.`,
    meaning: 'Nobody gets alerts or codes by text, and phone calls may fail too. Emails and push messages still leave.',
    todo: `${runDoctor} See also the console of Twilio.`,
    well: 'Text messages leave again. What is still of use is being sent now.',
  },
  payments: {
    wrong: (detail) => `Stripe does not work for this server: ${detail}.`,
    meaning: 'Nobody can order or change a plan. No plan ends because of it, and every computer stays protected.',
    todo: `${runDoctor} If Stripe does not answer, see status.stripe.com.`,
    well: 'Stripe answers again.',
  },
  lists: {
    wrong: (detail) => `No list of scam sites could be fetched for 3 days: ${detail}.`,
    meaning: 'The last good lists stay in use, so sites that are new are not blocked.',
    todo: 'Check that this server may reach the internet. Then run: npm run porchlight -- definitions status',
    well: 'A list of scam sites was fetched again.',
  },
  feed: {
    wrong: (detail) => `The feed of definitions needs you: ${detail}`,
    meaning: 'The last good definitions stay in use, so programs and tricks that are new are not recognized.',
    todo: 'Run: npm run porchlight -- definitions status',
    well: 'The newest definitions of the feed are in use again.',
  },
  backlog: {
    wrong: (detail) => `Work of the server waits too long (${detail}).`,
    meaning: 'What is named above comes late: alerts and codes in lanes that end with urgent, weekly reports in mail_bulk.',
    todo: `${runDoctor} See also the log, the processor and PostgreSQL.`,
    well: 'No work of the server waits too long any more.',
  },
  disk: {
    wrong: (detail) => `A disk is almost full: ${detail}.`,
    meaning: 'When it is full, an embedded database on it stops: then nobody can log in, no computer can report, and no alert is sent.',
    todo: 'Free some space: old backups and old logs first, and never in the folder postgres. Or use a larger disk.',
    well: 'The disk has space again.',
  },
  certificate: {
    wrong: (detail) => `The certificate of the public address needs renewal or repair: ${detail}.`,
    meaning: 'Without a valid one browsers and agents refuse this server: nobody can log in, and no computer can report.',
    todo: `Renew it, and reload the proxy. Then run: ${doctor}`,
    well: 'The certificate is valid for long enough.',
  },
  backup: {
    wrong: (detail) => `There is no recent backup: ${detail}.`,
    meaning: 'People notice nothing. But if the database is lost now, everything since then is lost.',
    todo: 'See: systemctl status porchlight-backup. To make one now: npm run porchlight -- backup --to FOLDER --passphrase-file FILE',
    well: 'There is a recent backup.',
  },
  database: {
    wrong: (detail) => `A server cannot use its PostgreSQL: ${detail}.`,
    meaning: 'Nobody can log in, computers cannot report, and no alert is sent. Computers stay protected by what they know.',
    todo: `See whether PostgreSQL runs, and whether its disk is full. ${runDoctor}`,
    well: 'The server can use PostgreSQL again. What waited is being sent now.',
  },
};

/** `disk:HOST` is a problem of the kind `disk`. */
const kindOf = (key: string) => key.split(':')[0] ?? key;
const computerOf = (key: string) => (key.includes(':') ? `${key.slice(key.indexOf(':') + 1)}: ` : '');

const page = 'More: docs/operating/when-something-is-wrong.md';
const noticedLate = 'You get this only now, because at the time nothing but email was set up. Set OPERATOR_PHONE or OPERATOR_WEBHOOK.';

/** `host`: of PUBLIC_URL, because an operator may run several services. */
export function operatorMessage(announcement: Announcement, host: string): OperatorMessage {
  const { wrong, meaning, todo, well } = wordsOf[kindOf(announcement.key)] ?? unknownWords;
  const problem = wrong(`${computerOf(announcement.key)}${announcement.detail}`);
  const begin = utcText(announcement.since);
  const name = `${brand.name} (${host})`;
  if (announcement.ended === null) {
    const paragraphs = [`${problem} It began at ${begin}.`, meaning, todo, page];
    return {
      mail: writeEmail({
        subject: `Problem: ${problem.replace(/\.$/, '')}`,
        heading: problem,
        paragraphs: [`This is about ${host}.`, ...paragraphs],
      }),
      sms: oneSmsFrom(`${name}: ${problem}`, `Since ${begin}.`, `Run: ${doctor}`),
      text: `${name}: ${problem} It began at ${begin}. ${meaning} ${todo}`,
    };
  }
  const from = `This was the problem from ${begin} to ${utcText(announcement.ended)}:`;
  const paragraphs = [`${from} ${problem}`, ...(announcement.isFirst ? [noticedLate] : []), 'There is nothing more to do.'];
  return {
    mail: writeEmail({
      subject: `Solved: ${well.split('. ')[0]?.replace(/\.$/, '')}`,
      heading: well,
      paragraphs: [`This is about ${host}.`, ...paragraphs],
    }),
    sms: oneSmsFrom(`${name}: ${well}`, `It began at ${begin}.`),
    text: `${name}: ${well} ${from} ${problem}`,
  };
}

/** The words for a problem that another version of the server has stored. */
const unknownWords: Words = {
  wrong: (detail) => `Something is wrong: ${detail}.`,
  meaning: '',
  todo: runDoctor,
  well: 'It is well again.',
};
