/** Sentences that screens, emails and the agent share. The first load of a guardian’s page has no room for this file, and repeats two of them. */

export const hangUpNow = 'If someone is on the phone with you, hang up now.';

/** For somebody who is about to weaken their protection. */
export const hangUpIfAsked = 'If someone on the phone told you to do this, hang up.';

/** People over 65 stay on the line out of politeness. */
export const notRude = 'You’re not being rude.';

export const screenQuestion = 'Did someone move the mouse?';
export const screenOff = 'Turn the screen off';

/** After *call the bank*: a caller gives out a number of their own. */
export const bankNumber = 'Use the number on the card.';

/** What a guardian says to the user of the computer. */
export const comfort = '“Hang up. I’m with you.”';
export const blameless = '“You did nothing wrong. Hang up. I’m with you.”';
