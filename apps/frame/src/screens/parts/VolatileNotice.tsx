import type { SocialProvider } from '@latchkey/wire'
import { fill } from '../../locales/en.ts'
import { volatile as t } from '../../locales/volatile.en.ts'
import { getThemeQuery } from '../../pages/windowTheme.ts'
import { Button } from './Button.tsx'

type Props = {
  projectId: string
  socials: readonly SocialProvider[]
  busy: boolean
  /** The user says that the wallet is there. */
  onMade: () => void
}

/** Says that this browser keeps nothing for the frame, and offers the page of the frame's own site that makes and keeps the wallet. */
export function VolatileNotice({ projectId, socials, busy, onMade }: Props) {
  const { host } = window.location
  const open = () => {
    const place = [projectId, ...socials].join()
    window.open(`/wallet${getThemeQuery(document)}#${place}`, '_blank', 'noopener')
  }
  return (
    <div className="notice stack" data-level="caution" role="note">
      <p>{t.text}</p>
      <p>{fill(t.window, { host })}</p>
      <Button kind="quiet" disabled={busy} onClick={open}>
        {fill(t.open, { host })}
      </Button>
      <button type="button" className="link" disabled={busy} onClick={onMade}>
        {t.made}
      </button>
    </div>
  )
}
