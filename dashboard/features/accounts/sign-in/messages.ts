import { brand } from '@porchlight/contract/brand.ts';
import { counted } from '@porchlight/contract/language.ts';

export const messages = {
  heading: 'How you log in',
  lead: 'A passkey or an authenticator app is optional. Once you have one, your password alone won’t let anyone in, so a scammer who knows it stays out.',
  passkeys: {
    heading: 'Passkeys',
    lead: 'Log in with your fingerprint, your face, or the PIN of your phone or computer. A passkey works only on our real page, so nobody can trick you into giving it away.',
    added: (when: string) => `Added ${when}.`,
    lastUsed: (when: string) => `Last used ${when}.`,
    neverUsed: 'Not used yet.',
    add: 'Add a passkey',
    unable: 'This browser can’t use passkeys. Open this page on a newer phone or computer to add one.',
    askAdd: { heading: 'Is it you?', body: 'Before we add a passkey, we make sure that it’s you.', confirm: 'Continue' },
    done: 'Your passkey is added.',
    remove: 'Remove',
    removeOf: (name: string, when: string) => `Remove the passkey ${name}, added ${when}`,
    askRemove: (name: string) => ({
      heading: 'Remove this passkey?',
      body: `You won’t be able to log in with the passkey “${name}” anymore, and other browsers that used it are logged out. If it’s your last way besides the password, your recovery codes stop working.`,
      confirm: 'Remove',
    }),
    removed: 'The passkey is removed. You can delete it in the settings of your device, too.',
  },
  app: {
    heading: 'Authenticator app',
    lead: 'An app on your phone shows a new number every 30 seconds. After your password, we ask you for it.',
    since: (when: string) => `In use since ${when}.`,
    start: 'Set up an app',
    startAgain: 'Set up on another phone',
    askStart: { heading: 'Is it you?', body: 'Before we set up an app, we make sure that it’s you.', confirm: 'Continue' },
    replaces: 'The app on your old phone works until you finish here.',
    steps: {
      open: {
        heading: 'Open an authenticator app on your phone',
        body: 'You have none? On an iPhone it’s in Passwords. On other phones, install Google Authenticator.',
      },
      scan: {
        heading: 'Scan this picture with the app',
        picture: 'A QR code for your authenticator app',
        byHand: 'Can’t scan it? Type this into the app instead:',
        copy: 'Copy',
        copied: 'Copied!',
      },
      enter: { heading: 'Enter the six digits that the app shows' },
    },
    code: 'Six digits',
    finish: 'Finish',
    cancel: 'Cancel',
    done: 'Your authenticator app is set up.',
    remove: 'Remove',
    removeLabel: 'Remove the authenticator app',
    askRemove: {
      heading: 'Remove the authenticator app?',
      body: 'We’ll no longer ask for its number when you log in. If it’s your last way besides the password, your recovery codes stop working.',
      confirm: 'Remove',
    },
    removed: 'The authenticator app is removed.',
  },
  codes: {
    heading: 'Recovery codes',
    lead: 'For the day when your phone is lost or broken. Each code lets you in once, after your password.',
    none: 'You get them when you add a passkey or an authenticator app.',
    left: (count: number) => {
      if (count === 0) return 'You have no recovery code left.';
      return `You have ${counted(count, 'recovery code')} left.`;
    },
    few: 'Get new ones soon.',
    renew: 'Get new codes',
    askRenew: {
      heading: 'Get new recovery codes?',
      body: 'Your old recovery codes will stop working.',
      confirm: 'Get new codes',
    },
    renewed: 'Your new recovery codes are ready. The old ones no longer work, so throw that paper away.',
    shown: {
      heading: 'Save your recovery codes',
      lead: 'We show them only now. Print them or write them down, and put the paper where you keep important papers.',
      use: 'If your phone is lost: log in with your password, then enter one of these codes. Each works once.',
      never: `Nobody from ${brand.name} will ever ask you for these codes. If someone does, hang up.`,
      list: 'Recovery codes',
      made: (date: string) => `${brand.name} recovery codes, made on ${date}`,
      print: 'Print',
      copy: 'Copy',
      copied: 'Copied!',
      saved: 'I have saved them',
    },
  },
} as const;
