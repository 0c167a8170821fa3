import { limits } from '@porchlight/contract/limits.ts';

const places = ['first', 'second', 'third', 'fourth', 'fifth'];

export const messages = {
  heading: 'Guardians',
  lead: (max: number) =>
    `You can add up to ${max} guardians: people you trust. When we stop a threat, each of them gets an email, and a text message if they like.`,
  none: "You don't currently have any guardians.",
  states: {
    active: { label: 'Active', hint: 'receiving alerts' },
    pending: { label: 'Pending', hint: 'must accept the email invitation first' },
    expired: { label: 'Pending', hint: 'did not answer within two weeks. Send the email again, and the invitation is new.' },
    declined: {
      label: 'Said no',
      hint: 'does not want to be a guardian now. Talk to each other, then send the email again, or remove the name.',
    },
    left: { label: 'Stopped', hint: 'is no longer a guardian. Send the email again to ask once more, or remove the name.' },
  },
  told: { mail: 'by email', both: 'by email and text', sms: 'by text' },
  looked: (when: string) => `Last looked ${when}`,
  neverLooked: 'Has not looked yet',
  show: (name: string) => `Show me what ${name} sees`,
  preview: {
    back: 'Back to guardians',
    heading: (name: string) => `What ${name} sees`,
    lead: (name: string) => `This is the page of ${name}, as it is right now. Here it is only to be read.`,
    frame: (name: string) => `The page of ${name}`,
    nothing: (name: string) => `${name} sees nothing of you or your devices: only your first name, and the question.`,
    looks: (name: string) => `When ${name} looked`,
    noLooks: (name: string) => `${name} has not looked yet.`,
  },
  alertsLink: 'Practice alert, and how we reach you',
  mayIsolate: {
    label: 'May cut the internet there',
    /** By the setting; `unset` is what holds until the holder chooses. */
    hint: {
      on: (name: string) => `${name} can cut the internet on your computers for 15 minutes, twice a day at most. You see who did it.`,
      off: (name: string) => `${name} cannot cut the internet on your computers.`,
      unset: (name: string) => `Not chosen yet: ${name} can do it only on a computer that someone else uses.`,
    },
    changed: (name: string, on: boolean) => (on ? `${name} may cut the internet there now.` : `${name} may not cut the internet now.`),
  },
  calls: {
    lead: 'When nobody answers an alert, we call your guardians in this order, if they have given us a phone number.',
    place: (n: number) => `Called ${places[n] ?? 'later'}`,
    up: 'Move up',
    upOf: (name: string) => `Move up: ${name}`,
    down: 'Move down',
    downOf: (name: string) => `Move down: ${name}`,
    moved: (name: string, n: number) => `${name} is called ${places[n] ?? 'later'} now.`,
  },
  resend: 'Resend email',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name} as a guardian`,
  removeAsk: { heading: 'Remove Guardian?', body: (name: string) => `${name} will no longer receive email or text notifications.` },
  resendAsk: {
    heading: 'Resend email?',
    body: (name: string) => `${name} gets a new link, with which they can update their phone number or opt out. Older links stop working.`,
  },
  addHeading: 'Add a Guardian',
  addLead:
    'They get an email with an invitation, and a Guardian Dashboard of their own, where they can enter a phone number for text alerts or opt out.',
  name: 'Name',
  namePlaceholder: 'Guardian Name',
  email: 'Email',
  confirmEmail: 'Confirm Email',
  add: 'Add Guardian',
  noMatch: 'The guardian email does not match the guardian email confirmation',
  max: "You've reached the maximum number of guardians for your account.",
  invited: (email: string) => `An invitation to be your guardian has been sent to ${sentenceEnd(shorten(email))}`,
  resent: 'The email is on its way.',
  removed: (name: string) => `${name} is no longer a guardian.`,
} as const;

/** The end of a sentence: no full stop after an ellipsis. */
const sentenceEnd = (text: string) => (text.endsWith('…') ? text : `${text}.`);

/** Shortens an email to 40 characters and an ellipsis (2.116). */
export function shorten(email: string): string {
  return email.length > limits.guardian_email_shown ? `${email.slice(0, limits.guardian_email_shown)}…` : email;
}
