import { day, minute } from '@porchlight/contract/time.ts';
import { until } from '../until.ts';
import { type Household, moveIn } from './month/household.ts';
import { localDate, type Message, openTown, type Town } from './month/town.ts';

export const minutes = 2;

/** A Tuesday: the month has four Sundays, of which the sixth day is the first. */
const firstDay = '2026-12-01';
const days = 30;
const dayOfAttempt = 10;
/** Emails to each person, at most. One at least, since a silent product would reach each aim. */
const aims = { quiet: 2, attempt: 4, sunday: 1 };
/** In milliseconds. */
const longest = 5 * minute;
/** Everybody has one on the first Sunday of a month (P15.6), help or not; it counts for the aim of a quiet month. */
const monthsReport = /all has been quiet$/i;

type Log = (line: string) => void;

/** What a person got in the time that an aim is about. */
interface Figure {
  household: string;
  time: string;
  person: string;
  emails: number;
  aim: number;
  texts: number;
  calls: number;
}

/**
 * Three kinds of households live with the product for 30 days, each with an agent on a computer that is switched on every evening: in one
 * nothing happens, in two a caller has AnyDesk started, and in one the son helps each Sunday. Counts what is sent to whom, and what the agents
 * end. Returns the problems.
 */
export async function drill(log: Log): Promise<string[]> {
  const startedAt = performance.now();
  const town = await openTown();
  const households: Household[] = [];
  const move = async (name: string) => {
    const household = await moveIn(town, name, households.length);
    households.push(household);
    return household;
  };
  try {
    const quiet = await move('quiet');
    const answered = await move('one attempt, answered after six hours');
    const unanswered = await move('one attempt, never answered');
    const helped = await move('the helping son');
    await forAll(households, ({ computer }) => computer.switchOff());
    // A guardian counts after three days, and the first Sunday has a report of how it all began.
    while (localDate(town.server.clock.now()) < firstDay) await liveThroughDay(town, households);

    const begun = town.server.clock.now();
    const problems: string[] = [];
    const figures: Figure[] = [];
    const count = ({ name, members, sentTo }: Household, time: string, aim: number, since: Date, counts = (_words: string) => true) => {
      for (const member of members) {
        const sent = sentTo(member).filter(({ at, words }) => at >= since && counts(words));
        const { email, text, call } = byChannel(sent);
        figures.push({ household: name, time, person: member.name, emails: email, aim, texts: text, calls: call });
      }
    };
    let attempted = begun;
    for (let today = 1; today <= days; today++) {
      if (performance.now() - startedAt > longest) throw new Error(`After five minutes only ${today - 1} days have passed.`);
      const midnight = town.server.clock.now();
      const isSunday = new Date(localDate(midnight)).getUTCDay() === 0;
      await liveThroughDay(town, households, {
        async evening() {
          if (isSunday) problems.push(...(await help(town, helped)));
          if (today !== dayOfAttempt) return;
          attempted = town.server.clock.now();
          await attempt(town, [answered, unanswered]);
        },
        async night() {
          if (today !== dayOfAttempt) return;
          count(answered, 'until Bob answers', aims.attempt, attempted);
          await answered.endIncidents();
        },
      });
      if (isSunday)
        count(helped, `Sunday, day ${today}, without the month’s report`, aims.sunday, midnight, (words) => !monthsReport.test(words));
    }
    count(helped, 'the month’s report', 1, begun, (words) => monthsReport.test(words));
    count(unanswered, 'from the attempt on', aims.attempt, attempted);
    count(quiet, 'all 30 days', aims.quiet, begun);

    for (const household of households) {
      const isAttempt = household === answered || household === unanswered;
      printMessages(log, household, begun);
      problems.push(...(await wrongAt(household, isAttempt ? ['AnyDesk.exe'] : [])));
    }
    printFigures(log, figures);
    return [...problems, ...missed(figures)];
  } finally {
    for (const household of households) await household.close();
    await town.close();
  }
}

const forAll = (households: Household[], work: (household: Household) => Promise<unknown>) => Promise.all(households.map(work));

/** From midnight to midnight. In the evening all computers are on, and their users browse. */
async function liveThroughDay(
  town: Town,
  households: Household[],
  { evening, night }: { evening?(): Promise<void>; night?(): Promise<void> } = {},
): Promise<void> {
  await town.passNight(town.untilClock(17));
  await forAll(households, ({ computer }) => computer.switchOn());
  for (const { computer } of households) computer.start('browser');
  await town.pass(10 * minute);
  await evening?.();
  await town.pass(town.untilClock(19));
  await forAll(households, ({ computer }) => computer.switchOff());
  await town.passNight(town.untilClock(23.5));
  await night?.();
  await town.passNight(town.untilClock(0));
}

/** A caller has AnyDesk started, which the agents end. Nobody answers. */
async function attempt(town: Town, households: Household[]): Promise<void> {
  for (const { computer } of households) {
    const program = computer.start('anydesk');
    await until('AnyDesk to be ended', () => !computer.runs(program));
  }
  for (const { incidents } of households) await until('the incident', async () => (await incidents()).length > 0);
  await town.passClosely(70 * minute);
}

/** Bob opens an appointment, helps with TeamViewer for 40 minutes, closes it, and ends the appointment. Returns the problems. */
async function help(town: Town, { computer, asBob, codeOfBob }: Household): Promise<string[]> {
  const body = { device: computer.device, identifier: 'teamviewer', minutes: 60, money_pages: false, code: await codeOfBob() };
  const windowsBefore = computer.windows();
  await asBob('POST /guardian/:id/appointments', body);
  await until('the window that says who helps', () => computer.windows() > windowsBefore);
  const program = computer.start('teamviewer');
  await town.passClosely(40 * minute);
  const problems = computer.quit(program) ? [] : ['TeamViewer was ended while Bob helped'];
  const { items } = (await asBob('GET /guardian/:id/appointments')) as { items: { uuid: string }[] };
  if (items.length !== 1) problems.push(`${items.length} appointments ran while Bob helped`);
  for (const { uuid } of items) await asBob(`POST /guardian/:id/appointments/${uuid}/end`);
  // Silence within an hour of what was opened counts sooner.
  await town.passClosely(30 * minute);
  return problems;
}

/** What was ended at a computer, and the incidents, where they are not what they must be. */
async function wrongAt({ name, computer, incidents }: Household, mustEnd: string[]): Promise<string[]> {
  const ended = computer.ended.join(', ') || 'nothing';
  const opened = (await incidents()).length;
  return [
    ...(ended === (mustEnd.join(', ') || 'nothing') ? [] : [`${name}: ended at the computer: ${ended}`]),
    ...(opened === mustEnd.length ? [] : [`${name}: ${opened} incidents were opened`]),
  ];
}

function byChannel(sent: Message[]): Record<Message['channel'], number> {
  const number = (channel: Message['channel']) => sent.filter((message) => message.channel === channel).length;
  return { email: number('email'), text: number('text'), call: number('call') };
}

function printMessages(log: Log, { name, members, computer, sentTo }: Household, begun: Date): void {
  log(`${name}; ended at the computer: ${computer.ended.join(', ') || 'nothing'}`);
  for (const member of members) {
    const sent = sentTo(member).filter(({ at }) => at >= begun);
    const { email, text, call } = byChannel(sent);
    log(`  ${member.name}: ${email} emails, ${text} texts, ${call} calls`);
    for (const { at, channel, words } of sent) {
      const nth = Math.floor((at.getTime() - begun.getTime()) / day) + 1;
      log(`    day ${String(nth).padStart(2)}  ${channel.padEnd(5)}  ${words.length > 80 ? `${words.slice(0, 79)}…` : words}`);
    }
  }
}

function printFigures(log: Log, figures: Figure[]): void {
  const table = [
    ['household', 'time', 'person', 'emails', 'aim', 'texts', 'calls'],
    ...figures.map((row) => Object.values(row).map(String)),
  ];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of table) log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

const missed = (figures: Figure[]): string[] =>
  figures
    .filter(({ emails, aim }) => emails < 1 || emails > aim)
    .map(({ household, time, person, emails, aim }) => `${household}, ${time}: ${person} got ${emails} emails, and the aim is 1 to ${aim}`);
