import { type WrittenEmail, writeEmail } from '../../lib/email.ts';
import { firstName, momentInWords } from '../../lib/formatting.ts';

/** Nobody knows yet whose address it is: without the name, which somebody else may have typed. */
export function confirmEmail(url: string): WrittenEmail {
  return writeEmail({
    subject: 'Please confirm your email address',
    heading: 'Welcome',
    paragraphs: [
      'One more step: confirm that this is your email address. Then we can reach you when something happens.',
      'The button works for 24 hours.',
      'Not you? Ignore this email. Nothing happens unless you press the button.',
    ],
    button: { label: 'Confirm my email address', url },
  });
}

export function resetEmail(name: string, url: string): WrittenEmail {
  return writeEmail({
    subject: 'Choose a new password',
    heading: `Choose a new password, ${firstName(name)}`,
    paragraphs: [
      'You asked for a new password. The button works once, for one hour.',
      'Not you? Then do nothing. Your password stays as it is.',
    ],
    button: { label: 'Choose a new password', url },
  });
}

/** After a reset by mail. */
export function passwordResetEmail(name: string, url: string): WrittenEmail {
  return passwordEmail(name, 'You have been logged out everywhere. Log in with the new password.', url);
}

/** After a change on the profile. */
export function passwordChangedEmail(name: string, url: string): WrittenEmail {
  return passwordEmail(name, 'Every other computer and phone has been logged out. Log in there with the new password.', url);
}

function passwordEmail(name: string, whatFollows: string, url: string): WrittenEmail {
  return writeEmail({
    subject: 'Your password was changed',
    heading: `Your password was changed, ${firstName(name)}`,
    paragraphs: [whatFollows, 'Not you? Choose a new password now, and write to us.'],
    button: { label: 'That was not me', url },
  });
}

/** To the new address, of which nobody knows yet whose it is. */
export function changeEmail(url: string): WrittenEmail {
  return writeEmail({
    subject: 'Please confirm your new email address',
    heading: 'Is this your new address?',
    paragraphs: [
      'Press the button, and from then on we write to you here. Until then we use the old address.',
      'The button works for 24 hours. Not you? Ignore this email.',
    ],
    button: { label: 'Use this address', url },
  });
}

/** To whoever has the address already. */
export function addressInUseEmail(name: string, url: string): WrittenEmail {
  return writeEmail({
    subject: 'Your address was entered for another account',
    heading: `You already have an account, ${firstName(name)}`,
    paragraphs: [
      'Someone entered this address for another account. Nothing has changed: it stays yours.',
      'Was it you? Log in with this address instead. If not, you need not do anything.',
    ],
    button: { label: 'Log in', url },
  });
}

/** To the old address, once the new one counts. It does not say the new one: whoever reads this may not be who changed it. */
export function emailChangedEmail(name: string, undo: string): WrittenEmail {
  return writeEmail({
    subject: 'Your email address was changed',
    heading: `We now write to another address, ${firstName(name)}`,
    paragraphs: [
      'The email address of your account was changed, with your password. This is the last mail to the old one.',
      'Not you? Take it back with the button, within 7 days. It logs everyone out, and you choose a new password.',
    ],
    button: { label: 'That was not me, take it back', url: undo },
  });
}

/** `browser`: in words. */
export function newBrowserEmail(name: string, browser: string, when: Date, url: string): WrittenEmail {
  return writeEmail({
    subject: 'Someone logged in from a new browser',
    heading: `A new browser, ${firstName(name)}`,
    paragraphs: [
      `Someone logged in to your account with ${browser}, at ${momentInWords(when, 'UTC')}.`,
      'Was it you? Then all is well. If not, choose a new password now: it logs everyone out.',
    ],
    button: { label: 'That was not me', url },
  });
}
