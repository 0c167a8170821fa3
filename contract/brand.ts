/** What another operator changes in the source: pages, messages, the agent and the installers read it from here. */
export const brand = {
  name: 'Porchlight',
  support: {
    title: 'Customer support',
    email: 'support@porchlight.example',
    phone: '1-800-555-0100',
  },
  scam_help_url: 'https://reportfraud.ftc.gov/',
} as const;

/** The folder from which servers fetch definitions, and the root key that signs them. Empty: only what ships with a version counts. Not in `brand`, which each page loads. */
export const definitionsFeed = { url: '', root: '' };

/** Colors, named by role. Contrast: text 7:1, lines and icons 3:1. */
export const colors = {
  light: {
    paper: '#faf6ee',
    card: '#fffdf9',
    line: '#e3d9c8',
    'line-strong': '#8b7f6b',
    ink: '#16213a',
    'ink-soft': '#434d66',
    action: '#1a4a99',
    'action-ink': '#ffffff',
    'action-soft': '#e6eefb',
    lamp: '#f3b333',
    'lamp-glow': '#ffe3a0',
    safe: '#0f5132',
    'safe-soft': '#e3f1e8',
    look: '#6e4200',
    'look-soft': '#fff0cf',
    danger: '#8a1515',
    'danger-soft': '#fbe8e4',
  },
  dark: {
    paper: '#0d1526',
    card: '#151f36',
    line: '#2b3855',
    'line-strong': '#8593b3',
    ink: '#f6f1e7',
    'ink-soft': '#c5cde0',
    action: '#a8c8ff',
    'action-ink': '#0d1526',
    'action-soft': '#1d2c4d',
    lamp: '#ffc658',
    'lamp-glow': '#5a4518',
    safe: '#93dcb3',
    'safe-soft': '#14322a',
    look: '#ffd98a',
    'look-soft': '#3a2e12',
    danger: '#ffb4aa',
    'danger-soft': '#401d1f',
  },
} as const;
