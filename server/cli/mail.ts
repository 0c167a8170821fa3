import { counted } from '@porchlight/contract/language.ts';
import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import { readConfig } from '../config.ts';
import type { DeadLetter } from '../jobs/dead-letters.ts';
import type { Command } from './command-deps.ts';
import { secretMasker } from './doctor/mask.ts';
import { noMailServer, sendTestMail, testMailText } from './doctor/test-mail.ts';
import { readOptions } from './usage.ts';
import { email, isId, timeText } from './values.ts';

const shownMax = 50;

const carriers: Record<string, string> = { mail: 'The mail server', sms: 'The telephone service' };

export const listMail: Command = {
  name: 'mail list',
  usage: '[--all]',
  help: `Mails and texts that wait, whether they are accepted, and what could not be sent, with the reason.
    --all             Every one, not only the newest 50.`,
  read: (args) => {
    const options = readOptions('mail list', args, { all: { type: 'boolean' } });
    return async ({ deadLetters }) => {
      const { lanes, away } = await deadLetters.waiting();
      const { messages, all } = await deadLetters.list(options.all ? 1_000_000 : shownMax);
      const state = away.map(
        ({ carrier, since, tried, reason }) =>
          `${carriers[carrier] ?? carrier} has taken nothing since ${timeText(since)}: ${reason}. Last tried ${timeText(tried)}. Everything waits and goes out once this is mended.`,
      );
      const waiting = lanes.map(
        ({ lane, count, oldest }) =>
          `Waiting, ${lane.replace('_', ', ')}: ${count}${oldest ? `, the oldest since ${timeText(oldest)}` : ''}.`,
      );
      const moreSentence = all > messages.length ? [`And ${all - messages.length} more; --all shows every one.`] : [];
      return [
        ...(state.length ? state : ['Nothing is known to be wrong with the mail server or the telephone service.']),
        ...(waiting.length ? waiting : ['Nothing waits.']),
        ...(messages.length
          ? [`Could not be sent: ${all}. "mail retry ID" sends one again, "mail retry --all" all; each is kept for 30 days.`]
          : ['There is nothing that could not be sent.']),
        ...messages.map(describeDeadLetter),
        ...moreSentence,
      ];
    };
  },
};

export const retryMail: Command = {
  name: 'mail retry',
  usage: '(ID | --all)',
  help: 'Sends again what could not be sent.',
  read: ([firstArg, ...args]) => {
    const id = firstArg !== undefined && !firstArg.startsWith('-') ? firstArg : null;
    const { all } = readOptions('mail retry', id === null && firstArg !== undefined ? [firstArg, ...args] : args, {
      all: { type: 'boolean' },
    });
    if ((id === null) === !all) throw new Usage('Say which one, as in mail retry ID (mail list shows the ids), or --all, and not both.');
    if (id !== null && !isId(id)) {
      throw new Usage(`"${id}" is no id; mail list shows the ids.`);
    }
    return async ({ deadLetters }) => {
      const queuedCount = await deadLetters.retry(id);
      if (id !== null && queuedCount === 0)
        throw new Usage(`There is nothing with the id ${id} that could be sent again; mail list shows what there is.`);
      return [queuedCount === 1 ? '1 waits to be sent again.' : `${queuedCount} wait to be sent again.`];
    };
  },
};

/** Needs no database, so that mail can be set up before anything else. */
export const testMail: Command = {
  name: 'mail test',
  usage: '--to ADDRESS',
  help: 'Sends an email at once, past what waits, and shows what the mail server answered.',
  readStandalone: (args) => {
    const { to } = readOptions('mail test', args, { to: { type: 'string' } });
    if (to === undefined) throw new Usage('Name the recipient, as in mail test --to ann@example.org.');
    const recipient = email('--to', to);
    return async ({ env, network }) => {
      const { smtp_url, mail_from } = readConfig(env);
      if (smtp_url === undefined) return { code: 1, sentences: [noMailServer] };
      const result = await sendTestMail({ smtp_url, mail_from }, recipient, network.limits.check);
      return { code: result.accepted ? 0 : 1, sentences: [secretMasker(env)(testMailText(result, recipient))] };
    };
  },
};

const reasons: Record<string, string> = {
  no_address: 'the address does not exist',
  refused: 'it was refused for good',
  gave_up: 'it did not get through for a whole day',
  opted_out: 'the number has asked for no texts',
  too_late: 'it came too late to be of use',
};

function describeDeadLetter({ id, kind, about, to, failed, attempts, why, error }: DeadLetter): string {
  const messageText = `${about} ${kind === 'mail' ? 'mail' : 'text'}${to ? ` to ${to}` : ', its words are gone'}`;
  const attemptsText = counted(attempts, 'try', 'tries');
  return `${id}  ${timeText(failed)}, ${messageText}: ${reasons[why] ?? why} after ${attemptsText}: ${error}.`;
}
