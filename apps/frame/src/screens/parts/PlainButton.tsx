import type { ComponentProps } from 'react'
import type { GuardedButton } from './GuardedButton.tsx'

type Props = Omit<ComponentProps<typeof GuardedButton>, 'about'> & { note: string }

/**
 * Looks like a {@link GuardedButton} but reacts at once, for presses that decide nothing. `note` is
 * shown below it.
 */
export const PlainButton = ({
  kind = 'main',
  busy = false,
  disabled = false,
  note,
  onPress,
  children,
}: Props) => (
  <span className="gated" data-kind={kind}>
    <button
      type="button"
      className={kind === 'link' ? 'link' : 'button'}
      data-kind={kind}
      data-level={kind === 'link' ? 'danger' : undefined}
      aria-busy={busy}
      aria-disabled={busy || disabled}
      onClick={() => busy || disabled || onPress()}
    >
      <span>{children}</span>
    </button>
    <span className="small quiet" role="status">
      {note}
    </span>
  </span>
)
