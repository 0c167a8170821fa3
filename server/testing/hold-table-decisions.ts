/**
 * Who else there is. `mum’s`: somebody else uses the devices, and a guardian has accepted 72 hours ago. `mum’s, alone`: and there is none.
 * See `alike` for the others.
 */
export type Family =
  | 'guardian of 72 hours'
  | 'new guardian'
  | 'no guardian'
  | 'removed yesterday'
  | 'mum’s'
  | 'mum’s, alone'
  | 'bought device'
  | 'bought, with a detection'
  | 'own and mum’s';

/**
 * Families whose every line is that of `guardian of 72 hours` (P18.2). `bought device`: a stranger with the session has connected a device of
 * somebody else's, which was seen last. `bought, with a detection`: and where there is an incident, it has one too. `own and mum’s`: beside
 * the own devices there is a real one of Mum's, which was seen last, and has its incident too.
 */
const alike: Family[] = ['bought device', 'bought, with a detection', 'own and mum’s'];
/** `second`: the call is the second change within an hour. */
export type Trouble = 'calm' | 'incident' | 'second';
export type AskFirst = 'on' | 'off';
/** From where. The holder has entered the password within ten minutes, except in `no password`. */
export const callers = ['elsewhere', 'no password', 'device’s address', 'agent’s window', 'operator'] as const;
export type Caller = (typeof callers)[number];

/**
 * What the gate decides about a call that weakens protection (P10.1 to P10.3). `own`: it passes for the holder of somebody else's
 * computer. Else the cause, and after how long the same call passes without an answer.
 */
const decisionTable = `
  family               | trouble  | ask first | elsewhere      | no password    | device’s address | agent’s window | operator

  guardian of 72 hours | calm     | off       | free           | free           | free             | free           | free
  guardian of 72 hours | calm     | on        | ask_first day  | ask_first day  | ask_first day    | ask_first day  | free
  guardian of 72 hours | incident | off       | incident day   | incident day   | incident day     | incident day   | free
  guardian of 72 hours | incident | on        | incident day   | incident day   | incident day     | incident day   | free
  guardian of 72 hours | second   | off       | second_act day | second_act day | second_act day   | second_act day | free
  guardian of 72 hours | second   | on        | ask_first day  | ask_first day  | ask_first day    | ask_first day  | free

  new guardian         | calm     | off       | free           | free           | free             | free           | free
  new guardian         | calm     | on        | ask_first day  | ask_first day  | ask_first day    | ask_first day  | free
  new guardian         | incident | off       | incident day   | incident day   | incident day     | incident day   | free
  new guardian         | incident | on        | incident day   | incident day   | incident day     | incident day   | free
  new guardian         | second   | off       | second_act day | second_act day | second_act day   | second_act day | free
  new guardian         | second   | on        | ask_first day  | ask_first day  | ask_first day    | ask_first day  | free

  no guardian          | calm     | off       | free           | free           | free             | free           | free
  no guardian          | calm     | on        | ask_first hour | ask_first hour | ask_first hour   | ask_first hour | free
  no guardian          | incident | off       | incident hour  | incident hour  | incident hour    | incident hour  | free
  no guardian          | incident | on        | incident hour  | incident hour  | incident hour    | incident hour  | free

  removed yesterday    | calm     | off       | free           | free           | free             | free           | free
  removed yesterday    | calm     | on        | ask_first day  | ask_first day  | ask_first day    | ask_first day  | free
  removed yesterday    | incident | off       | incident day   | incident day   | incident day     | incident day   | free
  removed yesterday    | incident | on        | incident day   | incident day   | incident day     | incident day   | free
  removed yesterday    | second   | off       | second_act day | second_act day | second_act day   | second_act day | free
  removed yesterday    | second   | on        | ask_first day  | ask_first day  | ask_first day    | ask_first day  | free

  mum’s                | calm     | off       | free           | free           | free             | free           | free
  mum’s                | calm     | on        | ask_first day  | ask_first day  | ask_first day    | ask_first day  | free
  mum’s                | incident | off       | own            | incident day   | incident day     | incident day   | free
  mum’s                | incident | on        | ask_first day  | incident day   | incident day     | incident day   | free
  mum’s                | second   | off       | own            | second_act day | second_act day   | second_act day | free
  mum’s                | second   | on        | ask_first day  | ask_first day  | ask_first day    | ask_first day  | free

  mum’s, alone         | calm     | off       | free           | free           | free             | free           | free
  mum’s, alone         | calm     | on        | ask_first hour | ask_first hour | ask_first hour   | ask_first hour | free
  mum’s, alone         | incident | off       | own            | incident hour  | incident hour    | incident hour  | free
  mum’s, alone         | incident | on        | ask_first hour | incident hour  | incident hour    | incident hour  | free
`;

/** Who may answer yes to a request, from where (P10.2). A dash: there is no guardian. The phone was proven in time, or not at all. */
const answerTable = `
  family               | from             | phone | guardian | holder with password | holder without password

  guardian of 72 hours | elsewhere        | no    | yes      | no                   | no
  guardian of 72 hours | device’s address | no    | no       | no                   | no
  guardian of 72 hours | agent’s window   | no    | no       | no                   | no
  guardian of 72 hours | elsewhere        | yes   | yes      | no                   | no
  guardian of 72 hours | device’s address | yes   | code     | no                   | no
  guardian of 72 hours | agent’s window   | yes   | code     | no                   | no

  new guardian         | elsewhere        | no    | no       | no                   | no
  new guardian         | device’s address | no    | no       | no                   | no
  new guardian         | agent’s window   | no    | no       | no                   | no
  new guardian         | elsewhere        | yes   | no       | no                   | no
  new guardian         | device’s address | yes   | no       | no                   | no
  new guardian         | agent’s window   | yes   | no       | no                   | no

  no guardian          | elsewhere        | no    | -        | no                   | no
  no guardian          | device’s address | no    | -        | no                   | no
  no guardian          | agent’s window   | no    | -        | no                   | no
  no guardian          | elsewhere        | yes   | -        | no                   | no
  no guardian          | device’s address | yes   | -        | no                   | no
  no guardian          | agent’s window   | yes   | -        | no                   | no

  removed yesterday    | elsewhere        | no    | -        | no                   | no
  removed yesterday    | device’s address | no    | -        | no                   | no
  removed yesterday    | agent’s window   | no    | -        | no                   | no
  removed yesterday    | elsewhere        | yes   | -        | no                   | no
  removed yesterday    | device’s address | yes   | -        | no                   | no
  removed yesterday    | agent’s window   | yes   | -        | no                   | no

  mum’s                | elsewhere        | no    | yes      | yes                  | password
  mum’s                | device’s address | no    | no       | no                   | no
  mum’s                | agent’s window   | no    | no       | no                   | no
  mum’s                | elsewhere        | yes   | yes      | yes                  | password
  mum’s                | device’s address | yes   | code     | code                 | password
  mum’s                | agent’s window   | yes   | code     | code                 | password

  mum’s, alone         | elsewhere        | no    | -        | yes                  | password
  mum’s, alone         | device’s address | no    | -        | no                   | no
  mum’s, alone         | agent’s window   | no    | -        | no                   | no
  mum’s, alone         | elsewhere        | yes   | -        | yes                  | password
  mum’s, alone         | device’s address | yes   | -        | code                 | password
  mum’s, alone         | agent’s window   | yes   | -        | code                 | password
`;

export const decisions = withAlike(rowsOf(decisionTable)).map(([family, trouble, ask_first, ...cells]) => ({
  family: family as Family,
  trouble: trouble as Trouble,
  ask_first: ask_first as AskFirst,
  by: Object.fromEntries(callers.map((caller, n) => [caller, cells[n] ?? ''])) as Record<Caller, string>,
}));

export const answers = withAlike(rowsOf(answerTable)).map(([family, from, phone, guardian, with_password, without_password]) => ({
  family: family as Family,
  from: from as Exclude<Caller, 'no password' | 'operator'>,
  proven_phone: phone === 'yes',
  guardian: guardian === '-' ? null : guardian,
  with_password,
  without_password,
}));

/** The lines, and those of the first family for each that is like it. */
function withAlike(lines: string[][]): string[][] {
  const first = lines.filter(([family]) => family === 'guardian of 72 hours');
  return [...lines, ...alike.flatMap((family) => first.map(([, ...cells]) => [family, ...cells]))];
}

/** The cells of a table's lines, without its head. */
function rowsOf(table: string): string[][] {
  const lines = table.split('\n').filter((line) => line.trim());
  return lines.slice(1).map((line) => line.split('|').map((cell) => cell.trim()));
}
