import type { ButtonHTMLAttributes } from 'react'

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  kind?: 'main' | 'quiet' | 'danger'
  busy?: boolean
}

export const Button = ({ kind = 'main', busy = false, children, disabled, ...rest }: Props) => (
  <button
    type="button"
    {...rest}
    className="button"
    data-kind={kind}
    aria-busy={busy}
    disabled={disabled || busy}
  >
    <span>{children}</span>
  </button>
)
