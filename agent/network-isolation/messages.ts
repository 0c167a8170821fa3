/** Sentences for the terminal, the window's list of what does not work here, and the server. */
export const messages = {
  isolated: (by: string) => `${by} cut the internet on this computer. Only our server can be reached.`,
  putBack: (times: number) =>
    `Something on this computer took the cut of the internet away. We cut it again${times > 1 ? `, ${times} times so far` : ''}.`,
  restored: 'The internet works on this computer again.',
  ended: 'Somebody at this computer ended that.',
  mayNotEnd: 'Only the person who cut the internet can end this. It ends on its own.',
  notSystem: 'The internet cannot be cut here, because this program does not run for the whole computer.',
  notIsolated: (why: string) => `The internet could not be cut here (${why}).`,
  notRestored: (why: string) => `The internet could not be restored here yet (${why}). We keep trying.`,
} as const;
