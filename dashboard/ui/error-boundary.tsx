import { Component, type ReactNode } from 'react';
import { reportHandledError } from '../lib/handled-errors.ts';
import { Loading } from './loading.tsx';

interface Props {
  children: ReactNode;
  /** It is a part of a screen, which has its margins already. */
  part?: boolean;
}

/**
 * A screen that could not be loaded or broke: the frame around it stays, and one can try again. A screen's file that is gone is
 * a newer version's doing, so trying again loads the page anew.
 */
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
        {/* The exception's message is for programmers; people get the general sentence. */}
        <Loading of={{ data: undefined, error: new Error(), refetch: () => window.location.reload() }}>{() => null}</Loading>
      </div>
    );
  }
}
