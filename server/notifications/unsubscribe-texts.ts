import { brand } from '@porchlight/contract/brand.ts';

/** The reply to HELP (P5.5); one SMS. */
export const helpText = `${brand.name} texts you when something happens on a computer you look after. Help: ${brand.support.email}, ${brand.support.phone}. STOP ends texts.`;

const later = (holder: string) =>
  `You will get no more emails about ${holder} once this is over. Until then you do, because ${holder} may need you.`;

export const pageTexts = {
  all: {
    title: 'Stop these emails?',
    text: (holder: string) => `You will get no more emails about ${holder}. Someone may need you and you would not know.`,
    button: 'Stop the emails',
    done: 'The emails have stopped.',
    after: (holder: string) =>
      `You stay a guardian of ${holder}. Put the emails on again on your own page, with the link of any email from us.`,
  },
  later: {
    title: 'Stop these emails?',
    text: later,
    button: 'Stop the emails once this is over',
    done: 'The emails will stop once this is over.',
    after: later,
  },
  invited: {
    title: 'Stop these emails?',
    text: (holder: string) => `You will get no more emails about ${holder}. This also says no to being a guardian.`,
    button: 'Say no and stop the emails',
    done: 'The emails have stopped.',
    after: (holder: string) => `${holder} now knows that you cannot be a guardian. That is fine. ${holder} can ask you again one day.`,
  },
  weekly: {
    title: 'Stop the weekly email?',
    text: () => 'You will get no more emails on how the week was. Alerts still come.',
    button: 'Stop the weekly email',
    done: 'The weekly email has stopped.',
    after: () => 'Alerts still come.',
  },
  dead: 'This link no longer works.',
};
