export const messages = {
  heading: 'What we recognize',
  lead: 'These are the programs and pages that scammers use, and what to do when one of them appears on your screen.',
  search: 'Name of a program or page',
  hint: 'For example AnyDesk. You can leave out spaces and capital letters.',
  count: (n: number, total: number) => (n === total ? `All ${total} that we know` : n === 1 ? '1 of them fits' : `${n} of them fit`),
  none: (typedText: string) =>
    `We do not know “${typedText}” by name. That does not make it safe: if someone on the phone asked for it, hang up.`,
  categories: {
    RemoteControl: 'Lets someone else use the computer',
    DeceptiveUtility: 'Pretends to help',
    ScamWebsite: 'Scam page',
  },
  also: (names: string[]) => `Also called ${names.join(', ')}.`,
  whatItIs: 'What it is',
  whatToDo: 'What to do',
  whenStopped: 'When we stop it',
  onlyOutgoing:
    'On Windows and Linux you can use it to reach another computer. We stop it when it lets someone in, or opens a file that came from the web or an email.',
} as const;
