/**
 * The 50 programs that scammers have people install most: a set that no longer knows one of them is a mistake, or worse. In the order of how
 * often public reports name them. First come the tools that warnings to consumers name (FBI IC3 and FTC on tech-support and refund scams, the
 * banks' own warnings) and that CISA names in AA23-025A, AA23-320A and AA24-109A; then those of Proofpoint's, Huntress's, Sophos's and
 * Microsoft's reports on what arrives by email and is started on the phone; last small tools of several reports. All are tools of
 * the catalogue; 48 of its `in_scams`, and Quick Assist and Chrome Remote Desktop, which are part of what people have anyway. There are no
 * counts behind the order, and nothing depends on it but what a refusal names first.
 */
export const topTools: readonly string[] = `
  anydesk teamviewer screenconnect ultraviewer quick-assist rustdesk zoho-assist logmein-rescue supremo splashtop
  chrome-remote-desktop atera fleetdeck level pulseway tactical-rmm netsupport simplehelp action1 n-able
  hoptodesk remotepc remote-utilities ammyy-admin aeroadmin logmein goto-resolve awesun getscreen dwservice
  helpwire anyviewer meshcentral ninjaone syncro pdq-connect bluetrait itarian superops datto-rmm
  iperius-remote litemanager isl-light showmypc alpemix distant-desktop trustconnect todesk gotohttp fixme-it`
  .trim()
  .split(/\s+/);
