import { limits } from '@porchlight/contract/limits.ts';

export const t = {
  heading: 'Guardians',
  lead: (max: number) =>
    `You can add up to ${max} guardians: people you trust. When we stop a threat, each of them gets an email, and a text message if they like.`,
  none: "You don't currently have any guardians.",
  active: 'Active',
  activeHint: 'receiving alerts',
  pending: 'Pending',
  pendingHint: 'must accept the email invitation first',
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
  invited: (email: string) => `An invitation to be your guardian has been sent to ${shorten(email)}.`,
  resent: 'The email is on its way.',
  removed: (name: string) => `${name} is no longer a guardian.`,
} as const;

/** 40 characters and an ellipsis when it is longer (2.116). */
export function shorten(email: string): string {
  return email.length > limits.guardian_email_shown ? `${email.slice(0, limits.guardian_email_shown)}…` : email;
}
