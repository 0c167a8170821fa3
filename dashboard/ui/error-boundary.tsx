import { Component, type ReactNode } from 'react';
import { reportHandledError } from '../lib/handled-errors.ts';
import { Loading } from './loading.tsx';

interface Props {
  children: ReactNode;
  /** True for a part of a screen, which already has margins. */
  part?: boolean;
}

/** Keeps the frame around a screen that broke or failed to load. A missing file means a newer version, so retrying reloads the page. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error || new Error() };
  }

  override componentDidCatch(error: unknown): void {
    reportHandledError(error);
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <div className={this.props.part ? undefined : 'wrap'}>
        {/* The exception's message is for programmers. */}
        <Loading of={{ data: undefined, error: new Error(), refetch: () => window.location.reload() }}>{() => null}</Loading>
      </div>
    );
  }
}
