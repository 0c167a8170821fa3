import { connectedRow } from './connected-row.ts';
import { asked, byHand, type Row } from './rows.ts';
import { toolRows } from './tool-rows.ts';
import { windowsNameRows } from './windows-names.ts';
import { windowsRegistryRows } from './windows-rows-registry.ts';
import { windowsSystemRows } from './windows-rows-system.ts';

const installer = 'It needs the installer once more, under another name or after a change that an ordinary user makes before it.';
const secondUser = 'It needs an ordinary user at work in another session.';
const weakens = 'It switches protection off, which the self-check never does.';
const needsGuardian = 'It needs a guardian at the dashboard, and somebody who watches for a quarter of an hour.';
const realTool = 'It needs a real remote-control tool with its service, and changes what is installed.';

/** The table “A Windows computer” of docs/release-checks.md. */
export const windowsRows: Row[] = [
  asked(
    1,
    'warning',
    'The installer was started.',
    'Unsigned: SmartScreen warned. Signed: it named the publisher.',
    'When you started the installer, did Windows warn you before it ran an unsigned file, or name the publisher of a signed one?',
  ),
  asked(
    2,
    'installation',
    'The installer ran.',
    'It ended within a minute, Defender reported nothing, and no black window stayed.',
    'Did the installer end within a minute, without a message of Defender and without a black window that stayed?',
  ),
  connectedRow(3),
  asked(
    3,
    'sign',
    'Porchlight runs.',
    'Its sign is beside the clock.',
    'Do you see the sign of Porchlight beside the clock (perhaps behind the small arrow)?',
  ),
  byHand(4, 'Install again under two other file names.', 'Connected both times.', installer),
  ...windowsSystemRows,
  ...windowsRegistryRows,
  byHand(6, 'Stop, change and delete the service as an administrator.', 'It is refused.', weakens, 'administrator'),
  byHand(7, 'Restart into both safe modes.', 'It runs in the one with networking.', 'It needs a restart.', 'safe modes'),
  byHand(7, 'Restart; two people log in and click the sign.', 'The page opens for the user at the screen.', secondUser, 'two people'),
  byHand(8, 'Link the device with tools on the disk.', 'They are away, and come back.', realTool),
  ...toolRows(9),
  asked(
    9,
    'screen',
    'A tool was stopped.',
    'A balloon and the calm screen came.',
    'Did a message beside the clock and the calm screen of Porchlight come just now?',
    ['guardian'],
  ),
  asked(9, 'email', 'A tool was stopped.', 'The guardian has the email.', 'Does the guardian have the email about it?', ['guardian']),
  byHand(10, 'Start AnyDesk during a pause, and after uninstalling.', 'It starts.', weakens, 'after a pause'),
  byHand(11, 'Stop a tool with its service, restart, allow it.', 'The service is disabled, then as before.', realTool),
  asked(
    12,
    'browsers',
    'Open net.anydesk.com in Edge, Chrome and Firefox.',
    'It opens in none of them.',
    'Please open net.anydesk.com in each of your browsers. Did it stay closed in all of them?',
    [],
    45,
  ),
  byHand(
    12,
    'Change networks, with and without a VPN.',
    'Names resolve in each.',
    'It needs hands on the cable, the Wi-Fi and the VPN.',
    'networks',
  ),
  ...windowsNameRows,
  byHand(14, 'Disable the service and end its process.', 'Names resolve.', weakens),
  byHand(15, 'Turn on a mobile hotspot and restart the service.', 'It reports that the port is taken.', weakens, 'hotspot'),
  byHand(16, 'Join a network with a page to log in to.', 'The page comes.', 'It needs such a network.'),
  byHand(17, 'Pause with the PIN, set the clock back, restart.', 'Protection is back in time.', weakens),
  byHand(18, 'Click a link that connects another account.', 'It asks for the PIN.', 'It needs a second account.', 'another account'),
  byHand(19, 'Offer an update, and a broken one.', 'One takes over, the other is given up.', 'It needs an operator who offers updates.'),
  byHand(20, 'Install a newer version over it.', 'The device stays linked.', installer),
  byHand(21, 'Shut down, hibernate, sleep.', 'The right emails come, and no others.', 'It needs the computer to be off.'),
  byHand(23, 'Uninstall with a wrong and the right PIN.', 'Nothing is left.', 'The self-check never uninstalls.'),
  byHand(24, 'Make folders of that name before installing.', 'They are moved aside.', installer),
  byHand(25, 'Give the folder to an ordinary user while the service is stopped.', 'It is moved aside.', weakens),
  byHand(26, 'Put a junction in the way of *Put back*.', 'Nothing is written behind it.', secondUser),
  byHand(27, 'Put a hard link named AnyDesk.exe into Downloads.', 'It stays.', secondUser),
  byHand(28, 'Make an instance of the pipe as an ordinary user.', 'It is refused.', secondUser, 'ordinary user'),
  byHand(29, 'Uninstall with a junction in the folder.', 'What is behind it stays.', 'The self-check never uninstalls.'),
  byHand(30, 'Lock the file of the state while the service starts.', 'It starts each time.', weakens, 'locked file'),
  byHand(31, 'Read the pages of the browsers, and the registry after an uninstall.', 'As before.', 'It needs an uninstall.', 'pages'),
  byHand(32, 'Cut the internet as a guardian.', 'It is cut, and back by itself.', needsGuardian, 'cut'),
  byHand(33, 'Press *I need help now* in the menu.', 'A tool ends, and the guardian is notified.', needsGuardian),
  byHand(
    34,
    'Try to weaken protection with an incident open.',
    'It is refused in words.',
    'It needs the PIN, which the self-check never reads.',
  ),
  byHand(35, 'Read signatures with signtool, and take an update.', 'Signed.', 'It needs the tools of a developer.', 'update'),
  byHand(36, 'Paste a command into the Run box.', 'It is suspended.', 'A pasted command must come from a keyboard.'),
  byHand(37, 'Start downloads with an incident open.', 'They wait.', needsGuardian),
  byHand(
    38,
    'Switch Remote Desktop on, and more.',
    'It is off again.',
    'It opens the computer for a moment, which the self-check never does.',
    'doors',
  ),
  byHand(39, 'Open banks with an incident open.', 'They do not open.', needsGuardian),
  byHand(40, 'Share the screen with an incident open.', 'It is refused.', needsGuardian),
  byHand(43, 'Start builds of RustDesk and ScreenConnect under other names.', 'They end.', realTool),
  byHand(44, 'Take the rules of a cut away.', 'It is cut again, or everyone hears it.', needsGuardian, 'cut taken away'),
  byHand(45, 'End the site filter.', 'Sites stay closed, or the window says so.', 'It opens sites for a moment.', 'filter'),
];
