; The Windows installer. Built by `makensis` with these given by -D:
;   STAGE    the folder with porchlight-agent.exe and what lies beside it
;   OUT      the installer to be written
;   VERSION  1.2.3
;   SCRIPT   what stands behind the executable in a command: nothing, or a space and the script that Node runs, in quotes
;   SIGN     the command that signs the file whose path stands behind it; without it the uninstaller is not signed
;   FAST     set for tests: packs nothing, which takes seconds less
; It reads no code: its own name is left for the agent, which reads it as on every system.
Unicode true
Target amd64-unicode
ManifestDPIAware true
RequestExecutionLevel admin
!ifdef FAST
  SetCompress off
!else
  SetCompressor /SOLID lzma
!endif
!include FileFunc.nsh
!include LogicLib.nsh
!include nsDialogs.nsh
!include TextFunc.nsh
!include WordFunc.nsh

!define NAME "Porchlight"
!define EXE "$INSTDIR\porchlight-agent.exe"
!define SETTINGS "SOFTWARE\Porchlight"
!define LISTED "SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall\Porchlight"
!define RUN "SOFTWARE\Microsoft\Windows\CurrentVersion\Run"
!define SERVICE "SYSTEM\CurrentControlSet\Services\Porchlight"
!define SAFE_MODE "SYSTEM\CurrentControlSet\Control\SafeBoot\Network\Porchlight"
!define LINKS "SOFTWARE\Classes\porchlight"

Name "${NAME}"
OutFile "${OUT}"
InstallDir "$PROGRAMFILES64\Porchlight"
BrandingText " "
ShowInstDetails nevershow
ShowUninstDetails nevershow
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "${NAME}"
VIAddVersionKey CompanyName "${NAME}"
VIAddVersionKey FileDescription "${NAME}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey LegalCopyright ""

!ifdef SIGN
  !uninstfinalize '${SIGN} "%1"' = 0
!endif

Var Pin
Var PinField

Page instfiles
UninstPage custom un.AskPin un.CheckPin
UninstPage instfiles

; The service first, so that nothing starts again what is ended next; what is open cannot be written over.
; One that has just taken over after an update is no service yet, and would have it started.
!macro StopAll
  nsExec::Exec '"$SYSDIR\taskkill.exe" /F /IM porchlight-agent.exe.new'
  Pop $0
  nsExec::Exec '"$SYSDIR\net.exe" stop ${NAME}'
  Pop $0
  nsExec::Exec '"$SYSDIR\taskkill.exe" /F /IM porchlight-agent.exe'
  Pop $0
!macroend

; Administrators may not stop the service, and Windows starts an ended one again within a second: it does not find a program that was moved away.
!macro StopForGood
  !insertmacro StopAll
  Delete "${EXE}.old"
  Rename "${EXE}" "${EXE}.old"
  nsExec::Exec '"$SYSDIR\taskkill.exe" /F /IM porchlight-agent.exe'
  Pop $0
!macroend

; What stands behind `name` on the command line, up to a space, in $R1; nothing when it is not there. Addresses have slashes in them, which
; GetOptions takes for the next option.
!macro ReadOption name
  ${GetParameters} $R0
  StrCpy $R1 ""
  ${WordFind} " $R0 " " ${name}" "E+1}" $R2
  ${IfNot} ${Errors}
    ${WordFind} "$R2" " " "+1{" $R1
  ${EndIf}
!macroend

Section
  SetRegView 64
  SetShellVarContext all
  ; First out of the folder that this file lies in: anyone may have put something beside it, and what is started would find that before anything else.
  SetOutPath "$INSTDIR"
  !insertmacro StopForGood

  ClearErrors
  File /r "${STAGE}/*"
  ${If} ${Errors}
    ; What was there before protects as before.
    ${IfNot} ${FileExists} "${EXE}"
      Rename "${EXE}.old" "${EXE}"
    ${EndIf}
    nsExec::Exec '"$SYSDIR\net.exe" start ${NAME}'
    Pop $0
    SetErrorLevel 3
    Abort "${NAME} could not be written. Restart the computer, and try once more."
  ${EndIf}
  Delete "${EXE}.old"
  WriteUninstaller "$INSTDIR\uninstall.exe"

  !insertmacro ReadOption "/SERVER="
  ${If} $R1 != ""
    WriteRegStr HKLM "${SETTINGS}" "Server" $R1
  ${EndIf}
  !insertmacro ReadOption "/CODE="
  ${If} $R1 == ""
    WriteRegStr HKLM "${SETTINGS}" "Installer" "$EXEFILE"
  ${Else}
    WriteRegStr HKLM "${SETTINGS}" "Code" $R1
  ${EndIf}

  WriteRegStr HKLM "${RUN}" "${NAME}" '"${EXE}"${SCRIPT} --window'
  WriteRegStr HKLM "${LINKS}" "" "URL:${NAME}"
  WriteRegStr HKLM "${LINKS}" "URL Protocol" ""
  WriteRegStr HKLM "${LINKS}\shell\open\command" "" '"${EXE}"${SCRIPT} --open "%1"'
  WriteRegStr HKLM "${LISTED}" "DisplayName" "${NAME}"
  WriteRegStr HKLM "${LISTED}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKLM "${LISTED}" "Publisher" "${NAME}"
  WriteRegStr HKLM "${LISTED}" "DisplayIcon" "${EXE}"
  WriteRegStr HKLM "${LISTED}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKLM "${LISTED}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegDWORD HKLM "${LISTED}" "NoModify" 1
  WriteRegDWORD HKLM "${LISTED}" "NoRepair" 1
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "${EXE}" '${SCRIPT} --open porchlight://open'

  ; State and log are for the service and administrators alone. Anyone may make folders beside it: the agent makes it with its rights in one step, and moves
  ; aside what somebody else has made there before; it looks again at each start of the service.
  WriteRegStr HKLM "${SETTINGS}" "Data" "$APPDATA\Porchlight"
  nsExec::Exec '"${EXE}"${SCRIPT} --own-folder'
  Pop $0
  ${If} $0 != 0
    SetErrorLevel 7
    Abort "The folder of ${NAME} could not be made safe. Restart the computer, and try once more."
  ${EndIf}

  nsExec::Exec '"$SYSDIR\sc.exe" create ${NAME} binPath= "\"${EXE}\"${SCRIPT} --service" start= auto DisplayName= "${NAME}"'
  Pop $0
  ; One that is there already may have been switched off, or lie elsewhere.
  nsExec::Exec '"$SYSDIR\sc.exe" config ${NAME} binPath= "\"${EXE}\"${SCRIPT} --service" start= auto DisplayName= "${NAME}"'
  Pop $0
  nsExec::Exec '"$SYSDIR\sc.exe" description ${NAME} "Stops remote-access scams, and tells the family."'
  Pop $0
  ; Back within a second, however often it fails.
  nsExec::Exec '"$SYSDIR\sc.exe" failure ${NAME} reset= 86400 actions= restart/1000/restart/1000/restart/1000'
  Pop $0
  nsExec::Exec '"$SYSDIR\sc.exe" failureflag ${NAME} 1'
  Pop $0
  ; That it starts with Windows, also in safe mode with networking, and that administrators may not stop it: of an older installation too, where
  ; the lines above are refused.
  nsExec::Exec '"${EXE}"${SCRIPT} --own-service'
  Pop $0
  nsExec::Exec '"$SYSDIR\net.exe" start ${NAME}'
  Pop $0
  ${If} $0 != 0
    ; Windows may have started it again by itself meanwhile: only a service that runs answers.
    nsExec::Exec '"$SYSDIR\sc.exe" interrogate ${NAME}'
    Pop $0
  ${EndIf}
  ${If} $0 != 0
    SetErrorLevel 4
    MessageBox MB_OK|MB_ICONEXCLAMATION "${NAME} is installed, but it could not be started, so this computer is not protected yet. Restart the computer. If that does not help, ask for help." /SD IDOK
  ${EndIf}
  ; By the desktop itself, so that it has the rights of the person and not of this installer.
  ${IfNot} ${Silent}
    CreateShortcut "$INSTDIR\window.lnk" "${EXE}" '${SCRIPT} --window'
    Exec '"$WINDIR\explorer.exe" "$INSTDIR\window.lnk"'
  ${EndIf}
SectionEnd

; Runs the agent with `option` and the PIN in $Pin, and leaves its exit code in $0. Every program can read what stands on a command line: the PIN
; goes over in a file, in the folder that only the service and administrators look into, and the agent removes it as soon as it has read it.
!macro WithPin option
  FileOpen $1 "$APPDATA\Porchlight\pin" w
  FileWrite $1 "$Pin$\r$\n"
  FileClose $1
  nsExec::Exec '"${EXE}"${SCRIPT} ${option} --pin-file "$APPDATA\Porchlight\pin"'
  Pop $0
  Delete "$APPDATA\Porchlight\pin"
!macroend

; Without a window the PIN comes in a file, `/PINFILE=`, for the same reason. It is removed whatever stands in it.
Function un.onInit
  SetRegView 64
  SetShellVarContext all
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "/PINFILE=" $R1
  ${IfNot} ${Errors}
    FileOpen $1 $R1 r
    FileRead $1 $Pin
    FileClose $1
    Delete $R1
    ${un.TrimNewLines} $Pin $Pin
  ${EndIf}
  ${If} ${Silent}
    !insertmacro WithPin --verify-pin
    ${If} $0 != 0
      SetErrorLevel 5
      Abort
    ${EndIf}
  ${EndIf}
FunctionEnd

Function un.AskPin
  nsDialogs::Create 1018
  Pop $0
  ${NSD_CreateLabel} 0 0 100% 30u "Your Admin PIN, or a code from a guardian, takes ${NAME} off this computer. Leave it empty if this computer belongs to no account."
  Pop $0
  ${NSD_CreatePassword} 0 36u 40% 14u ""
  Pop $PinField
  nsDialogs::Show
FunctionEnd

Function un.CheckPin
  ${NSD_GetText} $PinField $Pin
  !insertmacro WithPin --verify-pin
  ${If} $0 != 0
    MessageBox MB_OK|MB_ICONEXCLAMATION "That is not the PIN, it was tried too often, or right now it takes a code from a guardian. Nothing was changed."
    Abort
  ${EndIf}
FunctionEnd

Section Uninstall
  SetRegView 64
  SetShellVarContext all
  ; First the network as it was, and a name that is found, and the server knows; only then is anything stopped or removed.
  !insertmacro WithPin --uninstall
  ${If} $0 != 0
    SetErrorLevel 6
    MessageBox MB_OK|MB_ICONEXCLAMATION "Names on the internet would not be found any more, so nothing was removed. Ask for help first." /SD IDOK
    Abort
  ${EndIf}
  !insertmacro StopAll
  ; Until it was stopped the service may have led names to itself once more.
  nsExec::Exec '"${EXE}"${SCRIPT} --restore-names'
  Pop $0
  nsExec::Exec '"$SYSDIR\sc.exe" delete ${NAME}'
  Pop $0
  ; Where Windows refused that, the service is gone after the next start of Windows.
  DeleteRegKey HKLM "${SERVICE}"
  DeleteRegKey HKLM "${SAFE_MODE}"
  DeleteRegValue HKLM "${RUN}" "${NAME}"
  DeleteRegKey HKLM "${LINKS}"
  DeleteRegKey HKLM "${LISTED}"
  DeleteRegKey HKLM "${SETTINGS}"
  Delete "$SMPROGRAMS\${NAME}.lnk"
  ; Out of the folder that is to go.
  SetOutPath "$SYSDIR"
  ; Not RMDir /r: it goes into a junction, and takes away what lies behind. This one takes away the junction itself.
  nsExec::Exec '"$SYSDIR\cmd.exe" /d /c rd /s /q "$APPDATA\Porchlight"'
  Pop $0
  nsExec::Exec '"$SYSDIR\cmd.exe" /d /c rd /s /q "$INSTDIR"'
  Pop $0
SectionEnd
