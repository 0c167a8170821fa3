import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const script = await readFile(new URL('./porchlight.nsi', import.meta.url), 'utf8');
const lines = script.split('\n').map((line) => line.trim());
const started = lines.flatMap((line) => /^(?:nsExec::\w+|Exec\w*)\s+(.*)$/.exec(line)?.[1] ?? []);

describe('the installer for Windows, which runs as administrator', () => {
  it('starts programs by absolute path only: for a bare name, Windows searches the folder of the installer first', () => {
    expect(started.length).toBeGreaterThan(10);
    const absoluteCommand = /^'"(\$SYSDIR\\\w+\.exe|\$WINDIR\\explorer\.exe|\$\{EXE\})"/;
    expect(started.filter((command) => !absoluteCommand.test(command))).toEqual([]);
  });

  it('leaves its own folder before it starts a program', () => {
    const section = lines.slice(lines.indexOf('Section'));
    const leaves = section.indexOf('SetOutPath "$INSTDIR"');
    expect(leaves).toBeGreaterThan(-1);
    expect(section.findIndex((line) => /StopAll|^nsExec|^Exec/.test(line))).toBeGreaterThan(leaves);
  });

  it('repairs a service that was switched off, and reports when it does not start', () => {
    const startedCommands = started.map((command) => command.replace(/^'"\$SYSDIR\\(\w+)\.exe"/, '$1'));
    const [create, config, start] = ['sc create', 'sc config', 'net start'].map((commandText) =>
      // The last, since an installation that fails starts the former service.
      startedCommands.findLastIndex((command) => command.startsWith(commandText)),
    );
    expect([create, config, start].every((lineIndex) => lineIndex !== undefined && lineIndex >= 0)).toBe(true);
    expect([create, config, start]).toEqual([create, config, start].toSorted((one, other) => (one ?? 0) - (other ?? 0)));
    expect(startedCommands[config ?? 0]?.replace('sc config', 'sc create')).toBe(startedCommands[create ?? 0]);
    expect(startedCommands[config ?? 0]).toContain('start= auto');
    const afterStart = lines
      .slice(
        lines.findLastIndex((line) => line.includes('net.exe" start')),
        -1,
      )
      .join('\n');
    expect(afterStart).toMatch(
      /^nsExec.*\nPop \$0\n\$\{If\} \$0 != 0\n(;.*\n)*nsExec.*sc\.exe" interrogate \$\{NAME\}'\nPop \$0\n\$\{EndIf\}\n\$\{If\} \$0 != 0\nSetErrorLevel 4\nMessageBox /,
    );
  });

  it('[P12.7] moves the program of a service that it may not stop away before it ends it, and puts it back when it cannot write the new one', () => {
    const stopForGood = lines.slice(lines.indexOf('!macro StopForGood'));
    const [moved, ended] = ['Rename "${EXE}" "${EXE}.old"', 'taskkill.exe" /F /IM porchlight-agent.exe'].map((text) =>
      stopForGood.findIndex((line) => line.includes(text)),
    );
    expect(moved).toBeGreaterThan(0);
    expect(ended).toBeGreaterThan(moved ?? 0);
    const [install = [], uninstall = []] = ['Section', 'Section Uninstall'].map((line) => lines.slice(lines.indexOf(line)));
    expect(install.findIndex((line) => line === '!insertmacro StopForGood')).toBeLessThan(
      install.findIndex((line) => line.startsWith('File ')),
    );
    expect(install.join('\n')).toMatch(
      /\$\{IfNot\} \$\{FileExists\} "\$\{EXE\}"\nRename "\$\{EXE\}\.old" "\$\{EXE\}"\n\$\{EndIf\}\nnsExec.*net\.exe" start/,
    );
    // The uninstaller still runs the program after it has stopped it.
    expect(uninstall).not.toContain('!insertmacro StopForGood');
    expect(install.findIndex((line) => line.includes('--own-service'))).toBeGreaterThan(
      install.findIndex((line) => line.includes('sc.exe" create')),
    );
  });

  it('A9: lets the agent make the folder of the service and continues only after that; removes files without following a junction', () => {
    const section = lines.slice(lines.indexOf('Section'));
    const folderMadeAt = section.findIndex((line) => line.includes('--own-folder'));
    expect(section.slice(folderMadeAt, folderMadeAt + 5).join('\n')).toMatch(
      /--own-folder'\nPop \$0\n\$\{If\} \$0 != 0\nSetErrorLevel 7\nAbort /,
    );
    expect(section.findIndex((line) => line.includes('sc.exe" create'))).toBeGreaterThan(folderMadeAt);
    expect(lines.filter((line) => /^RMDir|^CreateDirectory|icacls/.test(line))).toEqual([]);
    expect(started.filter((command) => command.includes(' rd /s /q '))).toHaveLength(2);
  });
});
