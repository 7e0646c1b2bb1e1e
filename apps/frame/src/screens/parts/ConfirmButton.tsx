import { useEffect, useState } from 'react'
import { canVerifyVisibility } from '../../approval/createGate.ts'
import { en } from '../../locales/en.ts'
import { GatedButton } from './GatedButton.tsx'
import { PlainButton } from './PlainButton.tsx'
import type { ConfirmProps, WindowButton } from './WindowButton.tsx'

/**
 * A {@link GatedButton} for what a covered press would cost the user: where neither the browser can
 * vouch for visibility nor this page is a window of its own, it only opens a window of ours, which
 * asks like an approval.
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
  return <PlainButton {...button} disabled note={isLost ? en.common.lost : ''} onPress={() => {}} />
}
