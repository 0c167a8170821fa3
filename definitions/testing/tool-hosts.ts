import { managementToolHosts } from './management-tool-hosts.ts';
import { supportToolHosts, type ToolHosts } from './support-tool-hosts.ts';

export const toolHosts: ToolHosts[] = [...supportToolHosts, ...managementToolHosts];
