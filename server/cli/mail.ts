import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import type { DeadLetter } from '../jobs/dead-letters.ts';
import type { Command } from './parts.ts';
import { readOptions } from './usage.ts';

const shown = 50;

const carriers: Record<string, string> = { mail: 'The mail server', sms: 'The telephone service' };

/** What mails and texts wait, whether anybody takes them, and what could not be sent. */
export const listMail: Command = (args) => {
  const typed = readOptions('mail list', args, { all: { type: 'boolean' } });
  return async ({ deadLetters }) => {
    const { lanes, away } = await deadLetters.waiting();
    const { letters, all } = await deadLetters.list(typed.all ? 1_000_000 : shown);
    const state = away.map(
      ({ carrier, since, tried, reason }) =>
        `${carriers[carrier] ?? carrier} has taken nothing since ${moment(since)}: ${reason}. Last tried ${moment(tried)}. Everything waits and goes out once this is mended.`,
    );
    const waiting = lanes.map(
      ({ lane, count, oldest }) => `Waiting, ${lane.replace('_', ', ')}: ${count}${oldest ? `, the oldest since ${moment(oldest)}` : ''}.`,
    );
    const rest = all > letters.length ? [`And ${all - letters.length} more; --all shows every one.`] : [];
    return [
      ...(state.length ? state : ['Nothing is known to be wrong with the mail server or the telephone service.']),
      ...(waiting.length ? waiting : ['Nothing waits.']),
      ...(letters.length
        ? [`Could not be sent: ${all}. "mail retry ID" sends one again, "mail retry --all" all; each is kept for 30 days.`]
        : ['There is nothing that could not be sent.']),
      ...letters.map(inWords),
      ...rest,
    ];
  };
};

/** Sends again what could not be sent: one, by its id, or all. */
export const retryMail: Command = ([first, ...args]) => {
  const id = first !== undefined && !first.startsWith('-') ? first : null;
  const { all } = readOptions('mail retry', id === null && first !== undefined ? [first, ...args] : args, { all: { type: 'boolean' } });
  if ((id === null) === !all) throw new Usage('Say which one, as in mail retry ID (mail list shows the ids), or --all, and not both.');
  if (id !== null && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
    throw new Usage(`"${id}" is no id; mail list shows the ids.`);
  }
  return async ({ deadLetters }) => {
    const sent = await deadLetters.retry(id);
    if (id !== null && sent === 0)
      throw new Usage(`There is nothing with the id ${id} that could be sent again; mail list shows what there is.`);
    return [sent === 1 ? '1 waits to be sent again.' : `${sent} wait to be sent again.`];
  };
};

const reasons: Record<string, string> = {
  no_address: 'the address does not exist',
  refused: 'it was refused for good',
  gave_up: 'it did not get through for a whole day',
  opted_out: 'the number has asked for no texts',
  too_late: 'it came too late to be of use',
};

function inWords({ id, kind, about, to, failed, attempts, why, error }: DeadLetter): string {
  const what = `${about} ${kind === 'mail' ? 'mail' : 'text'}${to ? ` to ${to}` : ', its words are gone'}`;
  const tries = attempts === 1 ? '1 try' : `${attempts} tries`;
  return `${id}  ${moment(failed)}, ${what}: ${reasons[why] ?? why} after ${tries}: ${error}.`;
}

/** `2026-11-21 14:05 UTC` */
const moment = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
