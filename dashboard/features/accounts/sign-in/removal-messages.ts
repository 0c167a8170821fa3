export const messages = {
  heading: 'Remove this way to log in?',
  passkey: (name: string, when: string) => `Someone added the passkey “${name}” to this account, ${when}.`,
  app: (when: string) => `Someone added an authenticator app to this account, ${when}.`,
  wasYou: 'Was that you? Then close this page. Nothing changes.',
  notYou:
    'If not, or if someone on the phone asked you to do it, hang up and press the button. We’ll remove it, and log everyone out, you too.',
  remove: 'Remove it',
  removed: 'It is removed, and everyone is logged out.',
  choosePassword: 'Now choose a new password, because someone may know the old one. We just sent you an email with a button for that.',
  sendAgain: 'Send the email again',
  takeBack:
    'Next, take your address back: find our email “Your email address was changed”, and press the button in it. Then choose a new password.',
  over: 'This link no longer works. What was added may be removed already, or the seven days are over.',
  check: 'You can see all ways to log in on your profile, and remove them there.',
  toSignIn: 'Check how you log in',
  logInFirst: 'Log in to see all ways to log in. You can remove them there.',
  help: 'If you can’t get in, contact support:',
} as const;
