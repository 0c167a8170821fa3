import { brand } from '@porchlight/contract/brand.ts';

export const terminalMessages = {
  died: 'Porchlight ended without being asked to, and is starting again.',
  restarted: 'Protection ended without being asked to, and started again on its own.',
  idle: 'Porchlight is not linked yet. It watches nothing and blocks nothing until you connect it from the dashboard or with --code.',
  freeWaits: 'The free plan starts as soon as the server can be reached.',
  free: 'Porchlight protects this computer with the free plan: it blocks remote-control programs and scam websites, and notifies nobody.',
  watching: (device: string) => `Porchlight protects this computer as ${device}.`,
  stillRuns: (paths: string[]) => `still running: ${paths.join(', ')}`,
  stopped: (name: string, blocked: boolean, kind: 'program' | 'site') =>
    blocked ? `Stopped ${name}.` : `${name} ${kind === 'site' ? 'was opened' : 'runs'}, and was not stopped.`,
  removed: 'This device was removed from its account. Remote-control programs are still stopped. Link it again with a new code.',
  unknown: 'The server does not recognize this device right now. It stays protected for 24 hours, and Porchlight keeps asking the server.',
  known: 'The server recognizes this device again.',
  revoked: 'The server does not recognize this device anymore. Remote-control programs are still stopped. Link it again with a new code.',
  portTaken: (port: number) =>
    `Port ${port} is already in use on this computer, so the dashboard cannot find Porchlight on its own. Typing a code still works.`,
  portFree: (port: number) => `Port ${port} is free again: the dashboard can find Porchlight on its own.`,
  window: (url: string) => `See what happened: ${url}`,
  linked: (device: string) => `Linked as ${device}.`,
  asked: `Nothing was changed yet. Answer the question in the ${brand.name} window.`,
  released: 'This computer does not belong to any account anymore.',
  noAccount: 'This computer does not belong to any account, so there is none to leave.',
  leaveBegun:
    'The account owner and the guardians are being notified. This computer leaves its account after 24 hours of being on. Undo this with --stay.',
  leaveWaits: 'The server cannot be reached. The 24 hours start when the account owner can be notified. Undo this with --stay.',
  stays: 'This computer stays in its account.',
  notAdministrator:
    'Only an administrator of this computer can do that. Run it again as one (with sudo; on Windows from a terminal opened as administrator).',
  found: (names: string) => `Found on this computer: ${names}.`,
  scanFailed: (why: string) => `This computer could not be scanned (${why}).`,
  paused: (minutes: number) => `Protection is paused for ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`,
  resumed: 'Protection is on again.',
  resumedFromAfar: 'The account owner ended the pause. This computer is protected again.',
  pauseOver: 'The pause is over. Protection is on again.',
  browsersSet: 'Browsers on this computer no longer show notifications from websites, and no longer accept remote help.',
  browsersRestored: 'The browser settings that Porchlight made are gone again.',
  browsersFailed: (why: string[]) => `Some browser settings could not be changed (${why.join('; ')}).`,
  noNames: 'Without Porchlight, this computer cannot find websites yet. Nothing was removed. Try again in a minute.',
  leaving: 'Internet settings are back to normal. Porchlight can be removed now.',
  notWritten: (what: string, why: unknown) => `${what} could not be saved (${String(why)}). Protection continues.`,
  damaged: (name: string) => `The file ${name} was damaged or changed by hand. It is ignored; the last good version is used.`,
} as const;
