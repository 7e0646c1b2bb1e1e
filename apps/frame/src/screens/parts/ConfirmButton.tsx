import { useEffect, useState } from 'react'
import { canVerifyVisibility } from '../../approval/createGate.ts'
import { en } from '../../locales/en.ts'
import { GatedButton } from './GatedButton.tsx'
import type { ConfirmProps, WindowButton } from './WindowButton.tsx'

/**
 * A {@link GatedButton} for what a covered press would cost the user: where neither the browser can vouch for visibility nor this page is a window
 * of its own, it only opens a window of ours, which asks like an approval.
 */
export function ConfirmButton({ asker, question, onReject, ...button }: ConfirmProps) {
  const isSeen = window.top === window || canVerifyVisibility(window)
  const [Part, setPart] = useState<typeof WindowButton>()
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    if (isSeen) return
    // Before the press: a browser opens a window in the press alone.
    import('./WindowButton.tsx').then(
      (loaded) => setPart(() => loaded.WindowButton),
      () => setLost(true),
    )
  }, [isSeen])
  if (isSeen) return <GatedButton {...button} />
  if (Part)
    return <Part key={JSON.stringify(question)} {...{ asker, question, onReject, ...button }} />
  const { kind = 'main', children } = button
  return (
    <span className="gated" data-kind={kind}>
      <button
        type="button"
        className={kind === 'link' ? 'link' : 'button'}
        data-kind={kind}
        data-level={kind === 'link' ? 'danger' : undefined}
        aria-disabled
      >
        <span>{children}</span>
      </button>
      <span className="small quiet" role="status">
        {isLost && en.common.lost}
      </span>
    </span>
  )
}
