/** Of the banner and the screens about a waiting deletion. Separate from the long texts, because every page loads the banner. */
export const deletionMessages = {
  heading: (day: string | null) => (day ? `This account will be deleted ${day}` : 'This account will be deleted soon'),
  keep: 'Keep the account',
  stays: 'Your account stays. Nothing was deleted.',
} as const;
