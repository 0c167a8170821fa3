import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { firstName, momentInWords } from '../../texts/formatting.ts';

/** This email omits the name, because the address is unconfirmed and the name may be a stranger's text. */
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

export function passwordResetEmail(name: string, url: string): WrittenEmail {
  return passwordEmail(name, 'You have been logged out everywhere. Log in with the new password.', url);
}

export function passwordChangedEmail(name: string, url: string): WrittenEmail {
  return passwordEmail(name, 'Every other computer and phone has been logged out. Log in there with the new password.', url);
}

function passwordEmail(name: string, consequence: string, url: string): WrittenEmail {
  return writeEmail({
    subject: 'Your password was changed',
    heading: `Your password was changed, ${firstName(name)}`,
    paragraphs: [consequence, 'Not you? Choose a new password now, and write to us.'],
    button: { label: 'That was not me', url },
  });
}

/** This email omits the name, because the address is unconfirmed. */
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

export function addressInUseEmail(name: string, url: string): WrittenEmail {
  return writeEmail({
    subject: 'Your address was entered for another account',
    heading: `You already have an account, ${firstName(name)}`,
    paragraphs: [
      'Someone entered this address for another account. Nothing has changed: it stays yours.',
      'Was it you? Log in with this address instead. If not, there’s nothing to do.',
    ],
    button: { label: 'Log in', url },
  });
}

/** Sent to the old address; omits the new address, because the reader may not be the user who changed it. */
export function emailChangedEmail(name: string, undoUrl: string): WrittenEmail {
  return writeEmail({
    subject: 'Your email address was changed',
    heading: `We now write to another address, ${firstName(name)}`,
    paragraphs: [
      'The email address of your account was changed, with your password. This is the last mail to the old one.',
      'Not you? Take it back with the button, within 7 days. It logs everyone out, and you choose a new password.',
    ],
    button: { label: 'That was not me, take it back', url: undoUrl },
  });
}

/** After wrong codes with the right password. */
export function passwordKnownEmail(name: string, url: string): WrittenEmail {
  return writeEmail({
    subject: 'Someone may know your password',
    heading: `Did you try to log in, ${firstName(name)}?`,
    paragraphs: [
      'Someone entered your password in a browser that we don’t know, and then wrong codes. When we wrote this, they had not gotten in.',
      'Was it you? Then there’s nothing to do. If not, someone knows your password: choose a new one now.',
      'Never read a code from your app to anyone. If someone on the phone asks for it, hang up.',
    ],
    button: { label: 'Choose a new password', url },
  });
}

/** `browser`: a readable description. */
export function newBrowserEmail(name: string, browser: string, time: Date, url: string): WrittenEmail {
  return writeEmail({
    subject: 'Someone logged in from a new browser',
    heading: `A new browser, ${firstName(name)}`,
    paragraphs: [
      `Someone logged in to your account with ${browser}, at ${momentInWords(time, 'UTC')}.`,
      'Was it you? Then all is well. If not, choose a new password now: it logs everyone out.',
    ],
    button: { label: 'That was not me', url },
  });
}
