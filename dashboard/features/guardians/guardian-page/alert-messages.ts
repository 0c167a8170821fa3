/** Of the list of alerts, which loads on demand. */
export const messages = {
  onIt: 'You are on it',
  answers: {
    button: 'This is sorted',
    of: (name: string) => `This is sorted: ${name}`,
    /** `by`: null for the reader's own answer. */
    mine: (by: string | null, when: string) => `${by ?? 'You'} said: “It was me,” ${when}`,
    sorted: (by: string | null, when: string) => `${by ?? 'You'} said this is sorted, ${when}`,
  },
  alert: {
    blocked: (name: string, device: string) => `${name} was blocked on ${device}`,
    notBlocked: (name: string, device: string) => `Not blocked: ${name} on ${device}`,
    looksLike: (name: string) => `What looks like ${name}`,
    stopped: 'Stopped',
    notStopped: 'Not stopped',
    times: (n: number) => `It was tried ${n} times.`,
  },
  parts: { happened: 'What happened', did: 'What we did', over: 'Is it over?', now: 'What to do now' },
} as const;
