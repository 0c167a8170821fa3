/** What every list says to which people add websites. */
export const websiteListMessages = {
  known: 'That website is on the list already.',
  full: (max: number) => `You can add up to ${max} websites. Remove one first.`,
};
