import { managementToolHosts } from './management-tool-hosts.ts';
import { supportToolHosts } from './support-tool-hosts.ts';

/**
 * The hosts of one remote-access tool. Every host is a real one; `0a1b2c3d` and `acme` stand where the tool gives each computer or each
 * customer a name of its own.
 */
export interface ToolHosts {
  identifier: string;
  /** Where its program or a customer's own copy of it is fetched. */
  download?: string[];
  /** Where a code is typed in, someone logs in to reach computers, or the screen is steered in the browser. */
  session?: string[];
  /** What the running program connects to. */
  relay?: string[];
  /** Sites that must stay open, since they sell, explain and help, or belong to another product or to everyone. */
  open?: string[];
  /** Hosts of the tool that are still open, since only a domain could cover them that is among the most visited or that many share. */
  leftOut?: string[];
}

export const toolHosts: ToolHosts[] = [...supportToolHosts, ...managementToolHosts];
