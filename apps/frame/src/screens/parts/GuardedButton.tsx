import { type KeyboardEvent, type MouseEvent, type RefObject, useRef, useState } from 'react'
import { en } from '../../locales/en.ts'
import { useScreenGuard } from './useScreenGuard.ts'

type Props = {
  /**
   * The content that the press is about: visible together with the button, or read part by part if
   * both do not fit.
   */
  about?: RefObject<Element | null>
  kind?: 'main' | 'quiet' | 'danger' | 'link'
  busy?: boolean
  disabled?: boolean
  onPress: () => void
  children: string
}

/**
 * A button that shares, hands over, adds or removes something. As with an approval, a press counts
 * only if the browser guarantees that the button and the element it is `about` have been visible
 * for 800 ms, in a focused page. If the browser cannot report what covers a page, it counts 800 ms
 * after the button is shown. An earlier press explains what is missing. A key that is held down
 * does not count.
 */
export function GuardedButton({
  about,
  kind = 'main',
  busy = false,
  disabled = false,
  onPress,
  children,
}: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const { guard, state } = useScreenGuard(about ? [about, button] : [button])
  const [isRefused, setRefused] = useState(false)
  const isShut = state !== 'open'
  const press = ({ nativeEvent }: MouseEvent) => {
    if (busy || disabled || !nativeEvent.isTrusted) return
    const isOpen = guard.current?.check() === true
    setRefused(!isOpen)
    if (isOpen) onPress()
  }
  return (
    <span className="gated" data-kind={kind}>
      <button
        type="button"
        ref={button}
        className={kind === 'link' ? 'link' : 'button'}
        data-kind={kind}
        data-level={kind === 'link' ? 'danger' : undefined}
        aria-busy={busy}
        aria-disabled={busy || disabled || isShut}
        onClick={press}
        onKeyDown={(event: KeyboardEvent) => event.repeat && event.preventDefault()}
      >
        <span>{children}</span>
      </button>
      {isRefused && state === 'covered' && (
        <span className="small quiet" role="status">
          {en.common.covered}
        </span>
      )}
    </span>
  )
}
