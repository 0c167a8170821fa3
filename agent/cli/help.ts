import { brand } from '@porchlight/contract/brand.ts';

export const help = `${brand.name}, the agent. Without an option it goes on as before.

To begin:
  --code ABCD-EFGH            connect this computer with a code from the dashboard
  --link URI --signature S    the same with a signed link
  --free                      protect it with the free plan, without an account
  --system                    block sites too, which changes how this computer finds names
Where the free plan or another account is in force, a code or a link only asks: answer in the ${brand.name} window.

On a computer that it protects:
  --window                    show the window
  --need-help                 I need help now: end remote-control programs, tell the family, and show what to do
  --leave                     leave the account: for an administrator of the computer (sudo; an elevated terminal). The holder and the
                              family are told at once, and the computer leaves after 24 hours with it on. It then has what it had before
                              it belonged to an account: the free plan, or nothing
  --stay                      take that back
  --uninstall                 put the network back before the program is removed; needs the Admin PIN, which is read and not typed here
  --help                      this`;
