import { type KeyboardEvent, type MouseEvent, type RefObject, useRef, useState } from 'react'
import { en } from '../../locales/en.ts'
import { useScreenGate } from './useScreenGate.ts'

type Props = {
  /**
   * What the press is about: in sight with the button, or read part by part where both do not fit.
   */
  about?: RefObject<Element | null>
  kind?: 'main' | 'quiet' | 'danger' | 'link'
  busy?: boolean
  disabled?: boolean
  onPress: () => void
  children: string
}

/**
 * A button that shares, hands over, adds or removes something. Like an approval it counts only
 * while the browser vouches that it and what it is `about` have been in sight for 800 ms, in a
 * focused page; where it cannot report what covers a page, 800 ms after it is shown. A press before
 * that says what is missing. A key that is held down does not count.
 */
export function GatedButton({
  about,
  kind = 'main',
  busy = false,
  disabled = false,
  onPress,
  children,
}: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const { gate, state } = useScreenGate(about ? [about, button] : [button])
  const [isRefused, setRefused] = useState(false)
  const isShut = state !== 'open'
  const press = ({ nativeEvent }: MouseEvent) => {
    if (busy || disabled || !nativeEvent.isTrusted) return
    const isOpen = gate.current?.check() === true
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
