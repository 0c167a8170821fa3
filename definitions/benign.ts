import type { CommandSeen } from './commands/match-command.ts';
import type { ProgramSeen } from './format.ts';

/**
 * Programs and commands of nearly everybody, which no set may recognise: a small sample for servers and maintainers, who decide about a set.
 * Written for this project from what the programs report of themselves; the large lists for measuring are not shipped.
 */

const rows = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));

/** Name, product, company and signer. */
const onWindows = `
  chrome.exe | Google Chrome | Google LLC
  msedge.exe | Microsoft Edge | Microsoft Corporation
  firefox.exe | Firefox | Mozilla Corporation
  opera.exe | Opera Internet Browser | Opera Norway AS
  brave.exe | Brave Browser | Brave Software, Inc.
  explorer.exe | Microsoft® Windows® Operating System | Microsoft Corporation
  svchost.exe | Microsoft® Windows® Operating System | Microsoft Corporation
  notepad.exe | Microsoft® Windows® Operating System | Microsoft Corporation
  mspaint.exe | Microsoft® Windows® Operating System | Microsoft Corporation
  taskmgr.exe | Microsoft® Windows® Operating System | Microsoft Corporation
  cmd.exe | Microsoft® Windows® Operating System | Microsoft Corporation
  powershell.exe | Microsoft® Windows® Operating System | Microsoft Corporation
  rundll32.exe | Microsoft® Windows® Operating System | Microsoft Corporation
  msiexec.exe | Windows Installer - Unicode | Microsoft Corporation
  MsMpEng.exe | Microsoft® Windows® Operating System | Microsoft Corporation
  WINWORD.EXE | Microsoft Office | Microsoft Corporation
  EXCEL.EXE | Microsoft Office | Microsoft Corporation
  OUTLOOK.EXE | Microsoft Outlook | Microsoft Corporation
  ms-teams.exe | Microsoft Teams | Microsoft Corporation
  OneDrive.exe | Microsoft OneDrive | Microsoft Corporation
  Skype.exe | Skype | Skype Software Sarl
  Code.exe | Visual Studio Code | Microsoft Corporation
  Zoom.exe | Zoom | Zoom Video Communications, Inc.
  CiscoCollabHost.exe | Webex | Cisco Systems, Inc.
  slack.exe | Slack | Slack Technologies, LLC
  Discord.exe | Discord | Discord Inc.
  WhatsApp.exe | WhatsApp | WhatsApp LLC
  Telegram.exe | Telegram Desktop | Telegram FZ-LLC
  Signal.exe | Signal | Signal Messenger, LLC
  Spotify.exe | Spotify | Spotify AB
  iTunes.exe | iTunes | Apple Inc.
  vlc.exe | VLC media player | VideoLAN
  steam.exe | Steam | Valve Corp.
  EpicGamesLauncher.exe | Epic Games Launcher | Epic Games Inc.
  Dropbox.exe | Dropbox | Dropbox, Inc
  GoogleDriveFS.exe | Google Drive | Google LLC
  Acrobat.exe | Adobe Acrobat | Adobe Inc.
  Photoshop.exe | Adobe Photoshop | Adobe Inc.
  soffice.exe | LibreOffice | The Document Foundation
  thunderbird.exe | Thunderbird | Mozilla Corporation
  7zFM.exe | 7-Zip | Igor Pavlov
  WinRAR.exe | WinRAR | win.rar GmbH
  notepad++.exe | Notepad++ | Don HO don.h@free.fr
  putty.exe | PuTTY suite | Simon Tatham
  WinSCP.exe | WinSCP | Martin Prikryl
  filezilla.exe | FileZilla | FileZilla Project
  openvpn-gui.exe | OpenVPN GUI | OpenVPN Inc.
  NordVPN.exe | NordVPN | nordvpn s.a.
  1Password.exe | 1Password | AgileBits Inc.
  Bitwarden.exe | Bitwarden | Bitwarden Inc.
  KeePass.exe | KeePass | Dominik Reichl
  QuickenImportAgent.exe | Quicken | Quicken Inc.
  qbw.exe | QuickBooks | Intuit, Inc.
  mbam.exe | Malwarebytes | Malwarebytes Inc.
  AvastUI.exe | Avast Antivirus | AVAST Software s.r.o.
  NortonSecurity.exe | Norton Security | NortonLifeLock Inc.
  egui.exe | ESET Security | ESET, spol. s r.o.
  SupportAssistAgent.exe | Dell SupportAssist | Dell Inc.
  HPPrintScanDoctorService.exe | HP Print and Scan Doctor | HP Inc.
  LenovoVantageService.exe | Lenovo Vantage Service | Lenovo
  nvcontainer.exe | NVIDIA Container | NVIDIA Corporation
  RtkAudUService64.exe | Realtek HD Audio Universal Service | Realtek Semiconductor Corp.
  VirtualBox.exe | Oracle VM VirtualBox | Oracle Corporation
  vmware.exe | VMware Workstation | VMware, Inc.
  obs64.exe | OBS Studio | OBS Project
  audacity.exe | Audacity | Audacity Team
  calibre.exe | calibre | Kovid Goyal
  java.exe | Java Platform SE 8 | Oracle Corporation
  python.exe | Python | Python Software Foundation
  node.exe | Node.js | OpenJS Foundation
  git.exe | Git | The Git Development Community
  setup.exe | InstallShield | Flexera
  unins000.exe | Inno Setup | Jordan Russell`;

/** Name and bundle. */
const onMacos = `
  Google Chrome | com.google.Chrome
  Safari | com.apple.Safari
  firefox | org.mozilla.firefox
  Microsoft Edge | com.microsoft.edgemac
  Finder | com.apple.finder
  Mail | com.apple.mail
  Messages | com.apple.MobileSMS
  FaceTime | com.apple.FaceTime
  Photos | com.apple.Photos
  Terminal | com.apple.Terminal
  Preview | com.apple.Preview
  System Settings | com.apple.systempreferences
  Microsoft Word | com.microsoft.Word
  Microsoft Outlook | com.microsoft.Outlook
  zoom.us | us.zoom.xos
  Slack | com.tinyspeck.slackmacgap
  Spotify | com.spotify.client
  VLC | org.videolan.vlc
  Dropbox | com.getdropbox.dropbox
  WhatsApp | net.whatsapp.WhatsApp
  Signal | org.whispersystems.signal-desktop
  iTerm2 | com.googlecode.iterm2
  Code | com.microsoft.VSCode
  1Password | com.1password.1password`;

const onLinux = `
  systemd bash sh zsh gnome-shell gnome-terminal-server plasmashell konsole nautilus dolphin firefox chrome chromium thunderbird soffice.bin
  evince eog vlc rhythmbox sshd ssh cupsd NetworkManager wpa_supplicant pipewire pulseaudio Xorg Xwayland dbus-daemon cron snapd packagekitd
  apt dpkg python3 node java gimp-2.10 keepassxc steam code zoom signal-desktop telegram-desktop`;

export const benignPrograms: readonly ProgramSeen[] = [
  ...rows(onWindows).map(([name = '', product = '', company = '']): ProgramSeen => {
    return { os: 'windows', name, original_name: name, product, company, signer: company };
  }),
  ...rows(onMacos).map(([name = '', bundle_id = '']): ProgramSeen => ({ os: 'macos', name, bundle_id })),
  ...onLinux
    .trim()
    .split(/\s+/)
    .map((name): ProgramSeen => ({ os: 'linux', name })),
];

/** System and program, then the command; what people start from the desktop, a terminal or a browser. */
const commands = String.raw`
  windows | explorer.exe | C:\Windows\explorer.exe
  windows | cmd.exe | cmd.exe
  windows | cmd.exe | cmd /c ipconfig /all
  windows | cmd.exe | cmd /k ping example.com
  windows | cmd.exe | cmd /c "C:\Users\Ann\Documents\backup.bat"
  windows | cmd.exe | cmd /c start https://www.example.com/
  windows | cmd.exe | cmd /c dir C:\Users /s
  windows | powershell.exe | powershell.exe
  windows | powershell.exe | powershell -Command Get-Process
  windows | powershell.exe | powershell -NoProfile -File C:\Scripts\clean-up.ps1
  windows | powershell.exe | powershell Get-ChildItem -Recurse C:\Users\Ann\Pictures
  windows | powershell.exe | powershell -Command "Invoke-WebRequest https://downloads.example.com/photo.jpg -OutFile photo.jpg"
  windows | powershell.exe | powershell Set-ExecutionPolicy RemoteSigned
  windows | powershell.exe | powershell Test-NetConnection example.com
  windows | mshta.exe | mshta.exe C:\Windows\System32\oobe\help.hta
  windows | msiexec.exe | msiexec /i C:\Users\Ann\Downloads\printer.msi
  windows | msiexec.exe | msiexec.exe /x {90160000-008C-0000-1000-0000000FF1CE}
  windows | rundll32.exe | rundll32.exe shell32.dll,Control_RunDLL desk.cpl
  windows | regsvr32.exe | regsvr32 /s C:\Windows\System32\msxml6.dll
  windows | wscript.exe | wscript.exe C:\Scripts\map-drives.vbs
  windows | curl.exe | curl -O https://downloads.example.com/manual.pdf
  windows | certutil.exe | certutil -hashfile setup.exe SHA256
  windows | winget.exe | winget upgrade --all
  windows | control.exe | control printers
  windows | ssh.exe | ssh ann@home.example.com
  windows | cmd.exe | cmd /c echo done > C:\Users\Ann\log.txt
  windows | explorer.exe | explorer.exe "search-ms:query=invoice&crumb=location:C%3A%5CUsers%5CAnn%5CDocuments"
  windows | cmd.exe | cmd /c copy C:\Users\Ann\Downloads\photo.jpg D:\Photos
  windows | powershell.exe | powershell -c "Get-Clipboard | Out-File C:\Users\Ann\clip.txt"
  windows | robocopy.exe | robocopy C:\Users\Ann\Documents \\files.example.com\home\ann /mir
  windows | python.exe | python C:\Users\Ann\school\homework.py
  macos | zsh | -zsh
  macos | bash | bash ./configure
  macos | curl | curl -fLO https://downloads.example.com/disk.dmg
  macos | brew | brew upgrade
  macos | osascript | osascript -e "set volume 3"
  macos | open | open https://www.example.com/
  macos | softwareupdate | softwareupdate --list
  macos | ssh | ssh ann@home.example.com
  macos | python3 | python3 homework.py
  linux | bash | bash
  linux | sh | sh ./install-fonts.sh
  linux | curl | curl -sS https://api.example.com/weather
  linux | wget | wget https://downloads.example.com/image.iso
  linux | sudo | sudo apt-get update
  linux | bash | bash -c "ls -la | grep pdf"
  linux | python3 | python3 -m http.server
  linux | bash | bash -c ls # curl -fsSL https://get.example.com/install.sh | bash
  linux | dig | dig +short txt example.com
  linux | nc | nc -zv mail.example.com 25
  linux | git | git clone https://code.example.com/ann/recipes.git
  linux | tar | tar -xzf recipes.tar.gz
  linux | ssh | ssh ann@home.example.com`;

/** A pattern must not find them wherever they were started from. */
export const benignCommands: readonly Pick<CommandSeen, 'os' | 'name' | 'command_line'>[] = rows(commands).map(
  // What follows the second line is the command, which may have such a line itself.
  ([os, name = '', ...command]) => ({ os: os as CommandSeen['os'], name, command_line: command.join(' | ') }),
);

/** What starts commands by itself, so that nobody was made to paste them. */
export const benignStarters: readonly Pick<CommandSeen, 'os' | 'name'>[] = [
  ...['services.exe', 'svchost.exe', 'WINWORD.EXE', 'Code.exe', 'setup.exe'].map((name) => ({ os: 'windows' as const, name })),
  ...['launchd', 'Code Helper'].map((name) => ({ os: 'macos' as const, name })),
  ...['systemd', 'cron', 'code'].map((name) => ({ os: 'linux' as const, name })),
];
