/** Remote-control programs for the tests in wine, and the registry keys where they and the agent are. */
export const tool = { name: 'renamed-support.exe', original_name: 'AnyDesk.exe', product: 'AnyDesk', company: 'AnyDesk Software GmbH' };
export const withService = { name: 'helper.exe', original_name: 'rustdesk.exe', product: 'RustDesk', company: 'Purslane Ltd' };
export const installedTool = {
  name: 'help.exe',
  original_name: 'TeamViewer.exe',
  product: 'TeamViewer',
  company: 'TeamViewer Germany GmbH',
};
export const toolAt = 'C:\\users\\Public\\got';
export const program = 'C:\\Program Files\\Porchlight\\porchlight-agent.exe';
export const denied = 'HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options\\AnyDesk.exe';
export const policyTable = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\Dnscache\\Parameters\\DnsPolicyConfig';
export const servicesAt = 'HKLM\\System\\CurrentControlSet\\Services';
export const runOfPerson = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run';
export const safeMode = 'HKLM\\System\\CurrentControlSet\\Control\\SafeBoot\\Network\\Porchlight';
