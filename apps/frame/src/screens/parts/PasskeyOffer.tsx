import { type RefObject, useEffect, useRef, useState } from 'react'
import { passkey as t } from '../../locales/passkey.en.ts'
import { useScreenGuard } from './useScreenGuard.ts'

export type PasskeyOfferProps = {
  /** The page that the user signs in to. */
  readonly target: string
  /**
   * Offers passkeys in the field until `signal` aborts; resolves to a function that signs in with
   * the passkey that the user chose.
   */
  readonly offer: (signal: AbortSignal) => Promise<() => Promise<unknown>>
  /** The element that contains the field and this hint. */
  readonly about: RefObject<Element | null>
  readonly disabled: boolean
  readonly onChosen: (signIn: () => Promise<unknown>) => void
}

/**
 * Has the browser offer passkeys in the field of a login code, and explains what they do there.
 * Like a press, the offer counts only after it has been visible for 800 ms, and it ends when it is
 * no longer visible.
 */
export function PasskeyOffer({ target, offer, about, disabled, onChosen }: PasskeyOfferProps) {
  const hint = useRef<HTMLParagraphElement>(null)
  const { guard, state } = useScreenGuard([about, hint])
  const [isInSight, setInSight] = useState(false)
  const [hasEnded, setOver] = useState(false)
  const latest = useRef({ offer, onChosen })
  useEffect(() => {
    latest.current = { offer, onChosen }
  })
  useEffect(() => {
    if (state === 'open') setInSight(true)
    // The dialog in which the browser verifies the user takes the focus. Nothing else may have
    // changed.
    return guard.current?.subscribe(() => {
      if (!isSeen()) setInSight(false)
    })
    function isSeen() {
      return about.current !== null && guard.current?.sees(about.current) === true
    }
  }, [state, guard, about])
  const isOffering = isInSight && !disabled && !hasEnded
  useEffect(() => {
    if (!isOffering) return
    const closing = new AbortController()
    const { signal } = closing
    const start = async () => {
      try {
        const signIn = await latest.current.offer(signal)
        // Processes the browser's pending reports, which may end the offer.
        guard.current?.check()
        if (about.current === null || !guard.current?.sees(about.current) || signal.aborted) return
        latest.current.onChosen(signIn)
        setOver(true)
      } catch {
        // The browser offers nothing here, so the hint must not claim that it does. The code is
        // enough.
        if (!signal.aborted) setOver(true)
      }
    }
    void start()
    return () => closing.abort()
  }, [isOffering, guard, about])
  return (
    <p ref={hint} className="small quiet" hidden={hasEnded}>
      {t.offer} {t.loginText}{' '}
      <bdi className="strong" dir="auto">
        {target}
      </bdi>
    </p>
  )
}
