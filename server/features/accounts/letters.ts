import { type WrittenLetter, writeLetter } from '../../lib/letter.ts';
import { firstName } from '../../lib/words.ts';

export function confirmLetter(name: string, url: string): WrittenLetter {
  return writeLetter({
    subject: 'Please confirm your email address',
    heading: `Welcome, ${firstName(name)}`,
    paragraphs: [
      'One more step: confirm that this is your email address. Then we can reach you when something happens.',
      'The button works for 24 hours.',
    ],
    button: { label: 'Confirm my email address', url },
  });
}

export function resetLetter(name: string, url: string): WrittenLetter {
  return writeLetter({
    subject: 'Choose a new password',
    heading: `Choose a new password, ${firstName(name)}`,
    paragraphs: [
      'You asked for a new password. The button works once, for one hour.',
      'Not you? Then do nothing. Your password stays as it is.',
    ],
    button: { label: 'Choose a new password', url },
  });
}

export function passwordChangedLetter(name: string, url: string): WrittenLetter {
  return writeLetter({
    subject: 'Your password was changed',
    heading: `Your password was changed, ${firstName(name)}`,
    paragraphs: [
      'You have been logged out everywhere. Log in with the new password.',
      'Not you? Choose a new password now, and write to us.',
    ],
    button: { label: 'That was not me', url },
  });
}
