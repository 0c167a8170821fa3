import type { ShownIsolation } from '@porchlight/contract/emergency-stops.ts';

/** What the holder reads. `computer` is the name of a device. */
export const messages = {
  help: {
    button: 'I need help now',
    buttonAt: (computer: string) => `I need help now: ${computer}`,
    lead: 'Is someone on the phone with you, or moving things on your screen? Press this. We end remote control there, and show you what to do.',
    leadAlone: 'Is someone on the phone with you? Press this. We show you what to do.',
    heading: 'Do these four things now',
    see: 'See what happened',
    again: 'Send for help again',
    close: 'Close',
  },
  banner: {
    stop: (by: string, until: string) => `${by} stopped everything on our list, on every computer, until ${until}.`,
    help: (computer: string, by: string, until: string) =>
      `${by === computer ? 'Someone' : by} asked for help at ${computer}. Everything on our list is stopped there until ${until}.`,
    isolation: ({ by, may_end, in_force, put_back }: ShownIsolation, computer: string, when: string) =>
      !in_force
        ? `${by} wanted to cut the internet on ${computer}, but it is not cut right now. Something there keeps us from it. We keep trying. Turn ${computer} off.`
        : `${by} cut the internet on ${computer}. It comes back on its own ${when}.${may_end ? ' You can end it earlier at that computer.' : ''}${put_back ? ' Something there turned it on again, and we cut it again.' : ''}`,
    see: 'See what happened',
  },
  page: {
    heading: 'I think I am being scammed',
    lead: 'You did nothing wrong. Do these four things now, one after the other.',
    report: {
      heading: 'When that is done, report it',
      lead: 'A report helps to stop them, and your bank may ask for one.',
      link: 'Report the scam',
    },
  },
} as const;
