import { hangUpIfAsked } from '@porchlight/contract/advice.ts';
import type { AccountHolder } from '@porchlight/contract/agent.ts';
import { brand } from '@porchlight/contract/brand.ts';
import type { AgentLimitation } from '@porchlight/contract/device-health.ts';
import { counted } from '@porchlight/contract/language.ts';
import { clockAndDay, dayAndClock, names } from './format.ts';
import { helpMessages, lockMessages } from './lock.ts';
import { terminalMessages } from './terminal.ts';

const minutes = (ms: number): string => {
  const count = Math.max(1, Math.ceil(ms / 60_000));
  return counted(count, 'minute');
};

const hours = (ms: number): string => {
  const count = Math.ceil(ms / 3_600_000);
  return ms < 3_600_000 ? minutes(ms) : counted(count, 'hour');
};

const holderText = (holder: AccountHolder | null) => (holder ? `${holder.first_name} (${holder.masked_email})` : 'an account');

const accountOf = (holder: AccountHolder | null) =>
  holder ? `${holder.first_name}’s account (${holder.masked_email})` : 'another account';

/** Texts for the user in window and terminal, except those of the calm screen. */
export const messages = {
  protected: 'This computer is protected',
  away: (since: Date | null, now: Date, relatives: string[]) =>
    `${since ? `We have not reached our server since ${clockAndDay(since, now)}` : 'We have not reached our server yet'}. We still protect this computer${relatives.length ? `, and we’ll write to ${names(relatives)} about anything we stop as soon as there is a connection` : ''}.`,
  unknown: (left: number) =>
    `Our server does not recognize this computer right now. We still protect it, and we keep trying. If nothing changes in ${hours(left)}, it switches to the free plan, and nobody else gets alerts about it. Ask the account owner to check the dashboard.`,
  unreachable: 'We can’t reach our server. Is this computer connected to the internet? Try again in a minute.',
  oldPage: 'Porchlight is not answering, so this page may be out of date. Close it, and open Porchlight again.',
  tooOld: 'This page is too old. Open it again from Porchlight.',
  notYours: 'Open this page from Porchlight itself.',
  noSuchPage: 'There is no such page.',
  notWritten: 'This computer could not save that. Its disk may be full. Nothing was changed.',
  protectedMore: (device: string, nothingToDo: boolean) =>
    `Its name on the dashboard is ${device}.${nothingToDo ? ' There’s nothing to do.' : ''}`,
  cannot: {
    sites_not_blocked: 'Scam sites are not blocked on this computer',
    few_sites_blocked: 'Only the best-known scam sites are blocked on this computer',
    other_users_not_ended: 'Programs that other people start are not stopped on this computer',
    internet_not_cut: 'Nobody can cut the internet of this computer from afar',
  } satisfies Record<AgentLimitation, string>,
  cannotMore: (notInstalled: boolean) =>
    notInstalled
      ? `We still stop remote-control programs. To change this, an administrator of this computer has to run the ${brand.name} installer.`
      : 'We still stop remote-control programs. The reason is below, under “What it cannot do here”.',
  partly: 'This computer is partly protected',
  partlyMore: 'We block remote-control programs. The rest starts as soon as we can reach our server.',
  unlinked: 'This computer is not protected yet',
  unlinkedMore: 'Type the code you were given. It has eight letters and numbers.',
  waits: 'We are not blocking anything yet. That starts as soon as we can reach our server.',
  free: 'This computer has the free plan',
  freeMore: 'We block remote-control programs. Only you will know. To let your family know too, type the code you were given.',
  removed: 'This computer was removed from its account',
  removedMore: 'We still block remote-control programs. To connect it again, type a new code.',

  pin: {
    label: 'The Admin PIN',
    where: 'The account owner can find it on the dashboard, under Profile, Admin PIN. Never tell it to anyone who calls you.',
    needed: `This computer already belongs to an account. To connect it to another one, type the Admin PIN in the ${brand.name} window.`,
    wrong: (left: number) => `That is not the PIN. ${left === 1 ? 'You can try once more.' : `You can try ${left} more times.`}`,
    locked: (wait: number) => `Too many wrong PINs. You can try again in ${hours(wait)}. This computer is still protected.`,
    neededStill: `This computer was removed from its account less than a day ago, so it still asks for the Admin PIN. Type it in the ${brand.name} window.`,
    stillAsked: (left: number) =>
      `For ${hours(left)} more, you need that account’s Admin PIN to remove the program, to put something back, or to connect to another account.`,
    unknown: 'This computer doesn’t have the PIN yet. It will as soon as we can reach our server.',
    unreachable:
      'This computer is new, so our server has to check the PIN, and we can’t reach it. Connect this computer to the internet and try again.',
    server_locked: 'Too many wrong PINs. Wait 15 minutes and try again. This computer is still protected.',
  },
  /** `relatives`: the guardians who will be notified; without any, the holder is. */
  willNotify: (relatives: string[], holder: AccountHolder | null): string =>
    relatives.length ? `We’ll write to ${names(relatives)}.` : holder ? `We’ll write to ${holder.first_name}.` : '',
  pause: {
    title: 'Pause protection',
    open: 'Pause protection',
    warning: 'While protection is paused, we don’t block anything, and we won’t warn you.',
    caller: hangUpIfAsked,
    how: 'For how long?',
    minutes: (n: number) => counted(n, 'minute'),
    understood: 'I understand that nothing protects this computer during the pause',
    tick: 'Check the box to show that you understand, then pause.',
    choose: 'Choose for how long.',
    go: 'Pause',
    now: 'Protection is paused',
    meanwhile: `We are not blocking anything. ${hangUpIfAsked} Then press the button.`,
    left: (ms: number) => `Protection turns back on in ${minutes(ms)}.`,
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
    never: 'Not since it started',
    at: dayAndClock,
    limits: 'What it cannot do here',
    kinds: { RemoteControl: 'Remote-control programs', DeceptiveUtility: 'Deceptive programs', ScamWebsite: 'Scam websites' },
    actions: { block: 'blocked', alert: 'allowed, with an alert', ignore: 'allowed' },
    sites: { none: 'not blocked on this computer', few: 'only the best-known are blocked' },
    nothing: 'Nothing yet',
    relay: 'iCloud Private Relay',
    relayOff: `Your Mac may say that Private Relay is off on this network. That is ${brand.name}: Private Relay would open scam sites past us. You can leave it so.`,
    other: 'Connect to another account',
    uninstall: 'Remove the program',
  },
  uninstall: {
    title: `Removing ${brand.name}`,
    remove:
      'Remove it like any other program: on Windows in Settings, under Apps; on a Mac with the uninstaller in Applications; on Linux with your software manager.',
    pin: [
      'It asks for the Admin PIN. The account owner can find it on the dashboard, under Profile, Admin PIN.',
      'If the PIN is lost, the account owner can make a new one there. It works here within a minute.',
    ],
    internet: 'Your internet settings go back to normal before anything is removed.',
    caller: hangUpIfAsked,
  },
  scan: {
    running: 'We are checking the programs on this computer for the first time. You can keep using it.',
    title: 'What we found on this computer',
    found: (found: string) => `We checked what’s on this computer, and found ${found}.`,
    all: (count: number) => (count === 1 ? 'It can’t do any harm now.' : 'None of it can do any harm now.'),
    notAll: 'We could not put all of it away.',
    reported: 'The account allows it, so we left it alone.',
    open: 'See what we found',
    did: {
      put_away: 'We put it away where nobody can start it.',
      stopped: 'We stopped it, and it won’t start on its own anymore.',
      start_up_removed: 'It won’t start on its own anymore.',
      kept_from_running: 'It is still installed. We close it whenever it starts. To get rid of it, remove it like any other program.',
      left: 'We could not put it away. We close it if it starts.',
      reported: 'We left it alone, because the account allows it.',
    },
    looksLike: (name: string) => `What looks like ${name}`,
    call: (relatives: string[]) => `Someone to call: ${names(relatives)}.`,
    back: 'Put it back',
    isBack: (name: string) => `${name} is back where it was.`,
    backMore: 'We still close what you put back when it starts, until the account owner allows it.',
    backMoreFree: 'We still close what you put back when it starts.',
    kept: 'We keep what we put away for 30 days. Then we delete it.',
    nothing: 'We found nothing dangerous on this computer.',
    notBack: {
      changed: 'We could not put it back: it has changed.',
      protected: 'We could not put it back: its folder is not what it was.',
      gone: 'We could not put it back: it is gone, or its folder is.',
      place_taken: 'We could not put it back: something else is in its place now. Move that away first.',
      damaged: 'We did not put it back: our copy is damaged.',
      refused: 'We could not put it back: the system did not allow it.',
    },
  },
  back: 'Back',
  otherAccount: 'Connect to another account',
  otherAccountMore: 'Type the code you were given. Then you’ll see whose account it is, and you can say yes or no.',
  owner: {
    title: 'Who it belongs to',
    belongs: (holder: AccountHolder | null) => `This computer belongs to ${holderText(holder)}.`,
    nobody: 'This computer doesn’t belong to any account.',
    is: (holder: AccountHolder | null) => holderText(holder),
    first: (holder: AccountHolder | null) => holder?.first_name ?? 'the account owner',
  },
  question: {
    title: ({ first_name }: AccountHolder) => `Should this computer belong to ${first_name}?`,
    would: (holder: AccountHolder, device: string) => `Someone wants to add it to ${accountOf(holder)} and name it ${device}.`,
    decides: ({ first_name }: AccountHolder) => `${first_name} would decide what we block here, and get the PIN.`,
    now: (holder: AccountHolder | null) => `Right now it belongs to ${holderText(holder)}.`,
    nowFree: 'Right now it has the free plan, and doesn’t belong to anyone.',
    stranger: 'Did a stranger on the phone send you here? Then say no.',
    no: 'No, change nothing',
    yes: ({ first_name }: AccountHolder) => `Yes, it should belong to ${first_name}`,
    pin: ({ first_name }: AccountHolder) => `To say yes you also need ${first_name}’s Admin PIN.`,
    pinStill: 'To say yes you also need the Admin PIN of the account it was removed from.',
    slow: 'You can say yes after 10 seconds. If you do nothing, the answer is no.',
    wait: (ms: number) => {
      const left = Math.max(1, Math.ceil(ms / 1000));
      return `Take your time, and read it again. You can say yes in ${counted(left, 'second')}.`;
    },
    said: 'You said no. Nothing was changed.',
    over: 'That question is closed. Nothing was changed.',
    open: `Nothing was changed yet. Answer the question in the ${brand.name} window.`,
    declined: 'Someone at this computer said no to this link. If that was a mistake, type the code into the window instead.',
  },
  undo: {
    title: 'Not right?',
    more: (holder: AccountHolder | null, freely: boolean) =>
      `This computer was connected to ${accountOf(holder)} within the last day of use. If that’s not right, undo it here.${freely ? ' You don’t need a PIN.' : ''}`,
    free: 'It then has the free plan, and doesn’t belong to anyone.',
    account: (holder: AccountHolder) => `It then belongs to ${holderText(holder)} again.`,
    told: ({ first_name }: AccountHolder) => `We’ll write to ${first_name}.`,
    button: 'Not right? Undo',
    done: 'Undone.',
    over: 'This can’t be undone here anymore.',
  },
  firstDay: {
    strict: (ms: number) =>
      `For the first day, this computer is on Strict: we block everything we know to be dangerous, and nothing can be allowed or paused. That ends after ${hours(ms)} more with the computer on.`,
    noPause: `For the first day in a new account, protection can’t be paused. ${hangUpIfAsked}`,
  },
  leaving: {
    title: 'This computer is about to leave its account',
    more: (ms: number, holder: AccountHolder | null) =>
      `An administrator of this computer wants to remove it from ${accountOf(holder)}. That happens after ${hours(ms)} more with the computer on.`,
    keep: 'Keep it',
    kept: 'It stays.',
  },
  code: 'Your code',
  connect: 'Connect',
  connected: 'Connected.',
  support: [`${brand.support.title}:`, `${brand.support.email},`, brand.support.phone],
  never: `On the phone we never ask you for anything. We call only after a stop, and only if you agreed to it. Nobody from ${brand.name} will ever ask you to tell them your password or PIN.`,
  lock: lockMessages,
  help: helpMessages,
  terminal: terminalMessages,
} as const;
