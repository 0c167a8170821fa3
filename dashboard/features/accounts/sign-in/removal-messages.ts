export const messages = {
  heading: 'Remove this way to log in?',
  headingAfter: 'Choose a new password now',
  headingOver: 'This link no longer works',
  headingTakeBack: 'Take your address back now',
  passkey: (name: string, when: string) => `Someone added the passkey “${name}” to this account, ${when}.`,
  app: (when: string) => `Someone added an authenticator app to this account, ${when}.`,
  wasYou: 'Was that you? Then close this page. Nothing changes.',
  notYou:
    'If not, or if someone on the phone asked you to do it, hang up and press the button. We’ll remove it, and log everyone out, you too.',
  remove: 'Remove it',
  removed: 'We removed it, and logged everyone out.',
  choosePassword: 'Someone may know your old password. We just sent you an email with a button to choose a new one.',
  sendAgain: 'Send the email again',
  takeBack:
    'The email address of this account was changed. Find our email “Your email address was changed”, and press the button in it. Then choose a new password.',
  over: 'If you have a newer email from us about this, press the button in the newest one. If not, what was added may be removed already, or the seven days are over.',
  check: 'You can see all ways to log in on your profile, and remove them there.',
  toSignIn: 'Check how you log in',
  logInFirst: 'Log in to see all ways to log in. You can remove them there.',
  help: 'If you can’t get in, contact support:',
} as const;
