import type { AccountHolder } from '@porchlight/contract/agent.ts';
import { brand } from '@porchlight/contract/brand.ts';
import type { Match } from '@porchlight/definitions/format.ts';

/** A stretch of time, rounded up. */
const minutes = (ms: number): string => {
  const count = Math.max(1, Math.ceil(ms / 60_000));
  return count === 1 ? '1 minute' : `${count} minutes`;
};

const clock = (when: Date) => `${String(when.getHours()).padStart(2, '0')}:${String(when.getMinutes()).padStart(2, '0')}`;

/** The same in hours, from one on. */
const hours = (ms: number): string => {
  const count = Math.ceil(ms / 3_600_000);
  return ms < 3_600_000 ? minutes(ms) : count === 1 ? '1 hour' : `${count} hours`;
};

/** `Carol (c•••@gmail.com)`, or that it is not known. */
const named = (holder: AccountHolder | null) => (holder ? `${holder.first_name} (${holder.masked_email})` : 'an account');

const accountOf = (holder: AccountHolder | null) => (holder ? `the account of ${named(holder)}` : 'another account');

type Told = 'told' | 'soon' | 'nobody';
const told_of: Record<Told, string> = {
  told: ' We told your family.',
  soon: ' Your family hears of it as soon as the server can be reached.',
  nobody: '',
};

/** All that the agent says to the person at the computer, on its screen and on the terminal. */
export const words = {
  protected: 'This computer is protected',
  away: (since: Date | null) =>
    `${since ? `We have not reached our server since ${clock(since)}` : 'We have not reached our server yet'}. What we stop is told to your family as soon as we do.`,
  unknown: (left: number) =>
    `Our server does not know this computer right now. We protect it as before, and we keep asking. If nothing changes in ${hours(left)}, it gets the free plan and your family hears nothing more. Ask the person who has the account to look at the dashboard.`,
  unreachable: 'Our server cannot be reached. Is this computer connected to the internet? Then try again in a minute.',
  oldPage: 'Porchlight does not answer this page any more, so it may be out of date. Open it again from Porchlight.',
  tooOld: 'This page is too old. Open it again from Porchlight.',
  notYours: 'Open this page from Porchlight itself.',
  noSuchPage: 'There is no such page.',
  notWritten: 'This computer could not write that down. Its disk may be full. Nothing was changed, and we go on as before.',
  protectedMore: (device: string) => `It is called ${device} on the dashboard. There is nothing you need to do.`,
  partly: 'This computer is protected in part',
  partlyMore: 'We stop remote-control programs on it, and tell your family. The rest begins as soon as our server can be reached.',
  unlinked: 'This computer is not protected yet',
  unlinkedMore: 'Type the code that you were given. It has eight letters and numbers.',
  waits: 'Nothing is stopped on it yet. That begins as soon as our server can be reached.',
  free: 'This computer has the free plan',
  freeMore:
    'We stop remote-control programs on it. Nobody hears of it but you. To tell your family too, type the code that you were given.',
  removed: 'This computer was removed from its account',
  removedMore: 'We still stop remote-control programs. To connect it again, type a new code.',
  stopped: {
    program: ({ name, certainty }: Match) => `We stopped ${certainty === 'likely' ? `what looks like ${name}` : name}`,
    site: ({ name }: Match) => `We stopped a page of ${name}`,
  },
  notStopped: {
    program: ({ name, certainty }: Match) => `${certainty === 'likely' ? `What looks like ${name}` : name} was started and is not stopped`,
    site: ({ name }: Match) => `A page of ${name} was opened and is not stopped`,
  },
  safe: 'You are safe. Take your time.',
  parts: { happened: 'What happened', did: 'What we did', over: 'Is it over?', now: 'What to do now' },
  happened: {
    program: ({ name, certainty }: Match, when: Date) =>
      `${certainty === 'likely' ? `A program that looks like ${name}` : name} was started at ${clock(when)}.`,
    site: ({ name }: Match, when: Date) => `Something on this computer tried to open a page of ${name} at ${clock(when)}.`,
  },
  did: {
    program: (blocked: boolean, times: number, told: Told) =>
      blocked
        ? `We closed it right away${times > 1 ? `, ${times} times by now` : ''}.${told_of[told]}`
        : `We could not close it, or were asked not to.${told_of[told]}`,
    site: (blocked: boolean, times: number, told: Told) =>
      blocked
        ? `We did not let it open${times > 1 ? `, ${times} times by now` : ''}. Nothing was sent there.${told_of[told]}`
        : `We were asked not to stop it.${told_of[told]}`,
  },
  over: {
    program: (blocked: boolean) =>
      blocked ? 'Yes, as long as nobody starts it again. We keep watching.' : 'No. Switch the computer off if you did not ask for this.',
    site: (blocked: boolean) =>
      blocked
        ? 'Yes. If the page is still on the screen, you can close it.'
        : 'No. Close the page, and type nothing into it, if you did not ask for this.',
  },
  /** For a site that is only on a list, and belongs to no family that says more. */
  siteNow: 'If you typed a password or a card number there before, change the password and call the bank.',
  call: (names: string[]) => `Someone to call: ${names.join(', ')}.`,
  hangUp: 'Is someone on the phone telling you what to do? Hang up. You are not being rude, and nothing bad will happen.',
  ask: 'I asked for this',
  askMore: 'Press this if you want to use it. We tell your family, and it stays stopped until they say yes.',
  asked: 'We told your family that you want this. It stays stopped until they say yes.',
  askedHow: (name: string, device: string) =>
    `Whoever has the ${brand.name} account can allow it: on the dashboard, under ${device}, Allow list, ${name}. Talk to them first, on the phone.`,

  pin: {
    label: 'The Admin PIN',
    where: 'Whoever has the account finds it on the dashboard, under Profile, Admin PIN. Never tell it to anyone who called you.',
    needed: `This computer belongs to an account already. To connect it to another one, type the Admin PIN in the ${brand.name} window.`,
    wrong: (left: number) => `That is not the PIN. ${left === 1 ? 'You can try once more.' : `You can try ${left} more times.`}`,
    locked: (wait: number) =>
      `There were too many wrong PINs. None is taken for ${minutes(wait)}. Protection goes on, and your family was told.`,
    neededStill: `This computer was removed from its account less than a day ago, so it still asks for the Admin PIN. Type it in the ${brand.name} window.`,
    stillAsked: (left: number) =>
      `For ${hours(left)} more it asks for the Admin PIN of that account: to remove the program, to put something back, and to connect it to another account.`,
    unknown: 'The PIN is not known on this computer yet. It comes as soon as the server can be reached.',
    unreachable:
      'This computer is new, so our server has to check the PIN, and it cannot be reached. Connect this computer to the internet and try again.',
    server_locked: 'There were too many wrong PINs. Wait 15 minutes and try again. Protection goes on.',
  },
  pause: {
    title: 'Pause protection',
    open: 'Pause protection',
    warning:
      'While it is paused we stop nothing and warn of nothing. Your family is told. If someone on the phone asked you to do this, hang up.',
    how: 'For how long?',
    minutes: (n: number) => (n === 1 ? '1 minute' : `${n} minutes`),
    understood: 'I understand that nothing protects this computer meanwhile',
    tick: 'Tick the box to say that you understand, then pause.',
    choose: 'Choose for how long.',
    go: 'Pause',
    now: 'Protection is paused',
    meanwhile: 'Nothing is stopped meanwhile. If someone on the phone asked you for this, press the button and hang up.',
    left: (ms: number) => `It goes on by itself in ${minutes(ms)}.`,
    clock: (ms: number) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`,
    resume: 'Resume now',
  },
  settings: {
    title: 'This computer',
    open: 'About this computer',
    device: 'Name',
    protects: 'What is protected',
    version: 'Version',
    contact: 'Last contact with the server',
    never: 'Not since it was started',
    at: (when: Date) => when.toLocaleString('en-GB', { weekday: 'long', hour: '2-digit', minute: '2-digit' }),
    limits: 'What it cannot do here',
    kinds: { RemoteControl: 'Remote-control programs', DeceptiveUtility: 'Programs that deceive', ScamWebsite: 'Scam websites' },
    actions: { block: 'stopped', alert: 'told to your family', ignore: 'left alone' },
    nothing: 'Nothing yet',
    other: 'Connect it to another account',
    uninstall: 'Remove the program',
  },
  uninstall: {
    title: `Removing ${brand.name}`,
    steps: [
      'Remove it as any other program: on Windows under Settings, Apps; on a Mac with the uninstaller in Applications; on Linux with the program that installs others.',
      'It asks for the Admin PIN. Whoever has the account finds it on the dashboard, under Profile, Admin PIN.',
      'If the PIN is lost they make a new one there; it counts here within a minute.',
      'The network is put back as it was before anything is removed, and your family is told.',
    ],
    caller: 'Did someone on the phone ask you to remove it? Hang up.',
  },
  look: {
    running: 'We are looking at the programs on this computer for the first time. You can go on using it.',
    title: 'What we found on this computer',
    found: (names: string) => `We looked at what lies on this computer, and found ${names}.`,
    all: (count: number) => (count === 1 ? 'It can do no harm any more.' : 'None of it can do any harm any more.'),
    notAll: 'Not all of it could be put away.',
    told: 'The account lets it stay, so we left it as it is.',
    open: 'See what we found',
    did: {
      put_away: 'We put it away where nobody can start it.',
      stopped: 'We stopped it, and it does not start by itself any more.',
      start_up_removed: 'It does not start by itself any more.',
      kept_from_running: 'It is still installed. We close it whenever it is started. To get rid of it, remove it as any other program.',
      left: 'We could not put it away. We close it if it is started.',
      told: 'We left it, as the account says.',
    },
    looksLike: (name: string) => `What looks like ${name}`,
    back: 'Put it back',
    isBack: (name: string) => `${name} is back where it was.`,
    backMore: 'What is put back is still closed when it is started, until your family allows it.',
    backMoreFree: 'What is put back is still closed when it is started.',
    kept: 'We keep what we put away for 30 days. After that it is deleted.',
    nothing: 'Nothing that we know to be dangerous lies on this computer.',
    notBack: {
      changed: 'It could not be put back: it has changed.',
      protected: 'It could not be put back: its folder is not what it was.',
      gone: 'It could not be put back: it, or the folder it lay in, is not there any more.',
      place_taken: 'It could not be put back: something else lies in its place now. Move that away first.',
      damaged: 'It was not put back: what we kept is damaged.',
      refused: 'It could not be put back: the system did not allow it.',
    },
  },
  back: 'Back',
  otherAccount: 'Connect to another account',
  otherAccountMore: 'Type the code that you were given. Then you see whose account it is, and say yes or no.',
  /** Whose computer it is, on every page. */
  owner: {
    title: 'Whose it is',
    belongs: (holder: AccountHolder | null) => `This computer belongs to ${named(holder)}.`,
    nobody: 'This computer belongs to no account.',
    is: (holder: AccountHolder | null) => named(holder),
  },
  question: {
    title: ({ first_name }: AccountHolder) => `Should this computer belong to ${first_name}?`,
    would: (holder: AccountHolder, device: string) => `Someone wants it to belong to ${accountOf(holder)}, with the name ${device}.`,
    decides: ({ first_name }: AccountHolder) => `${first_name} then decides what is stopped here, and gets the PIN.`,
    now: (holder: AccountHolder | null) => `Now it belongs to ${named(holder)}.`,
    nowFree: 'Now it has the free plan, and belongs to nobody.',
    stranger: 'Did a stranger on the phone send you here? Then say no.',
    no: 'No, change nothing',
    yes: ({ first_name }: AccountHolder) => `Yes, it should belong to ${first_name}`,
    pin: ({ first_name }: AccountHolder) => `Yes also needs the Admin PIN of ${first_name}.`,
    pinUnknown: 'Yes also needs the Admin PIN of the account it belongs to now.',
    pinStill: 'Yes also needs the Admin PIN of the account it was removed from.',
    slow: 'Yes works after 10 seconds. If you do nothing, the answer is no.',
    wait: (ms: number) => {
      const left = Math.max(1, Math.ceil(ms / 1000));
      return `Take your time, and read it once more. You can say yes in ${left === 1 ? '1 second' : `${left} seconds`}.`;
    },
    said: 'You said no. Nothing was changed.',
    over: 'That question is not open any more. Nothing was changed by it.',
    open: `Nothing was changed yet. Answer the question in the ${brand.name} window.`,
    declined: 'Someone at this computer said no to this link. If that was a mistake, type the code into the window instead.',
    meanwhile: 'Meanwhile',
  },
  undo: {
    title: 'Not right?',
    more: (holder: AccountHolder | null) =>
      `This computer was connected to ${accountOf(holder)} within the last day of use. If that is not right, undo it here. You need no PIN.`,
    free: 'It then has the free plan, and belongs to nobody.',
    account: (holder: AccountHolder | null) => `It then belongs to ${named(holder)} again.`,
    told: ({ first_name }: AccountHolder) => `We tell ${first_name}.`,
    button: 'Not right? Undo',
    done: 'It is undone.',
    over: 'This can no longer be undone here.',
  },
  firstDay: {
    strict: (ms: number) =>
      `For the first day this computer is on Strict: we stop everything that we know to be dangerous, nothing can be allowed, and nothing can be paused. That ends after ${hours(ms)} more with the computer on.`,
    noPause:
      'For the first day after this computer came to another account, protection cannot be paused. Is someone on the phone telling you to? Hang up.',
  },
  leaving: {
    title: 'This computer is about to leave its account',
    more: (ms: number, holder: AccountHolder | null) =>
      `An administrator of this computer wants it to leave ${accountOf(holder)}. That happens after ${hours(ms)} more with the computer on.`,
    told: 'We tell the family.',
    keep: 'Keep it',
    kept: 'It stays.',
  },
  code: 'Your code',
  connect: 'Connect',
  connected: 'Connected.',
  support: [`${brand.support.title}:`, `${brand.support.email},`, brand.support.phone],
  never: `${brand.name} never calls you first, and never asks for your password or PIN.`,

  terminal: {
    died: 'Porchlight ended without being asked to, and is started again.',
    restarted: 'The protection had ended without being asked to, and was started again by itself.',
    idle: 'Porchlight is not linked yet. It watches nothing and blocks nothing until you connect it from the dashboard or with --code.',
    freeWaits: 'The free plan begins as soon as the server can be reached.',
    free: 'Porchlight protects this computer with the free plan: remote-control programs are stopped, and nobody is told.',
    watching: (device: string) => `Porchlight protects this computer as ${device}.`,
    stillRuns: (paths: string[]) => `still running: ${paths.join(', ')}`,
    stopped: (name: string, blocked: boolean, kind: 'program' | 'site') =>
      blocked ? `Stopped ${name}.` : `${name} ${kind === 'site' ? 'was opened' : 'runs'}, and was not stopped.`,
    removed: 'This device was removed from its account. Remote-control programs are still stopped. Link it again with a new code.',
    unknown:
      'The server does not know this device right now. Protection goes on as before for 24 hours, and the server is asked again all the while.',
    known: 'The server knows this device again.',
    revoked: 'The server does not know this device any more. Remote-control programs are still stopped. Link it again with a new code.',
    portTaken: (port: number) =>
      `Port ${port} is not to be had on this computer, so the dashboard cannot reach Porchlight by itself. A typed code works all the same.`,
    portHad: (port: number) => `Port ${port} is to be had again: the dashboard can reach Porchlight by itself.`,
    window: (url: string) => `What happened, on a page: ${url}`,
    linked: (device: string) => `Linked as ${device}.`,
    asked: `Nothing was changed yet. Answer the question in the ${brand.name} window.`,
    released: 'This computer belongs to no account any more.',
    noAccount: 'This computer belongs to no account, so there is none to leave.',
    leaveBegun:
      'The holder and the family are told now. This computer leaves its account after 24 hours with it on. Take it back with --stay.',
    leaveWaits: 'The server cannot be reached. The 24 hours begin when the holder could be told. Take it back with --stay.',
    stays: 'This computer stays in its account.',
    notAdministrator:
      'Only an administrator of this computer may do that. Start it again as one (with sudo; on Windows from a terminal opened as administrator).',
    found: (names: string) => `Found on this computer: ${names}.`,
    lookFailed: (why: string) => `What lies on this computer could not be looked at (${why}).`,
    paused: (minutes: number) => `Protection is paused for ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`,
    resumed: 'Protection goes on.',
    resumedFromAfar: 'The account holder ended the pause. This computer is protected again.',
    pauseOver: 'The pause is over. Protection goes on.',
    noNames: 'This computer finds no names without Porchlight yet. Nothing was removed. Try again in a minute.',
    leaving: 'The network is as it was before. Porchlight can be removed now.',
    notWritten: (what: string, why: unknown) => `${what} could not be written down (${String(why)}). Protection goes on.`,
    damaged: (name: string) =>
      `The file ${name} was damaged or changed by hand. It is not believed; what was last known to be good counts.`,
  },
} as const;
