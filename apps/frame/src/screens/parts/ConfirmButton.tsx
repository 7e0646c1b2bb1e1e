import { useEffect, useState } from 'react'
import { canVerifyVisibility } from '../../approval/createVisibilityGuard.ts'
import { en } from '../../locales/en.ts'
import { GuardedButton } from './GuardedButton.tsx'
import { PlainButton } from './PlainButton.tsx'
import type { ConfirmProps, WindowButton } from './WindowButton.tsx'

/**
 * A {@link GuardedButton} for actions for which a hijacked press would harm the user. If the
 * browser cannot guarantee visibility and this page is not a top-level window, it only opens a
 * popup, which asks like an approval.
 */
export function ConfirmButton({ asker, question, onReject, ...button }: ConfirmProps) {
  const isSeen = window.top === window || canVerifyVisibility(window)
  const [Part, setPart] = useState<typeof WindowButton>()
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    if (isSeen) return
    // Loaded before the press, because a browser opens a popup only within the press.
    import('./WindowButton.tsx').then(
      (loaded) => setPart(() => loaded.WindowButton),
      () => setLost(true),
    )
  }, [isSeen])
  if (isSeen) return <GuardedButton {...button} />
  if (Part)
    return <Part key={JSON.stringify(question)} {...{ asker, question, onReject, ...button }} />
  return <PlainButton {...button} disabled note={isLost ? en.common.lost : ''} onPress={() => {}} />
}
