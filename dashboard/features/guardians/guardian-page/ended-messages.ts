/** Below the heading of a page that has ended. */
export const messages = {
  expired: (holder: string) =>
    `It waited two weeks. Would you still like to look out for ${holder}? Ask ${holder} to send it again: on the dashboard, under Guardians.`,
  declined: (holder: string) => `We told ${holder}. If you change your mind, ask ${holder} to send the invitation again.`,
  left: (holder: string) =>
    `We won’t write to you anymore, and we told ${holder}. Thank you for looking out. If you change your mind, ask ${holder} to send the invitation again.`,
  dead: (_holder: string) =>
    'There is a newer link, or you are no longer a guardian. Use the link in the newest email from us, or have it sent again.',
  homeScreen: {
    heading: 'Open your page here',
    lead: 'You do this once. In our newest email, press and hold the button, and choose Copy Link. Then paste it here.',
    link: 'The link from our email',
    open: 'Open my page',
    wrong: 'That isn’t the link to your page. Copy the whole link from our newest email.',
  },
} as const;
