import type { SocialProvider } from '@latchkey/wire'
import type { StorageLife } from '../../host/readStorageLife.ts'
import { account } from '../../locales/account.en.ts'
import { fill } from '../../locales/en.ts'
import { volatile as t } from '../../locales/volatile.en.ts'
import { getThemeQuery } from '../../pages/windowTheme.ts'
import { Button } from './Button.tsx'

/** A browser that does not keep what the frame stores, and the notice about it. */
export type Volatile = {
  readonly Notice: typeof VolatileNotice
  readonly life: Exclude<StorageLife, 'lasting'>
  readonly projectId: string
  readonly socials: readonly SocialProvider[]
}

type Props = Omit<Volatile, 'Notice'> & {
  busy: boolean
  /**
   * Set before a wallet is created. `onMade`: the user reports that the other page has created it.
   */
  setup?: { hasMailbox: boolean; onMade: () => void }
}

/**
 * Explains how long this browser keeps what the frame stores, and offers a page on the frame's own
 * site that keeps the wallet.
 */
export function VolatileNotice({ life, projectId, socials, busy, setup }: Props) {
  const { host } = window.location
  const open = () => {
    const place = [projectId, ...socials].join()
    window.open(`/wallet${getThemeQuery(document)}#${place}`, '_blank', 'noopener')
  }
  return (
    <div className="notice stack" data-level="caution" role="note">
      <p>{setup ? `${t[life]} ${setup.hasMailbox ? t.wayOrMail : t.way}` : t[life]}</p>
      <p>{fill(setup ? t.window : t.again, { host, way: account.recover.device })}</p>
      <Button kind="quiet" disabled={busy} onClick={open}>
        {fill(t.open, { host })}
      </Button>
      {setup && (
        <button type="button" className="link" disabled={busy} onClick={setup.onMade}>
          {t.made}
        </button>
      )}
    </div>
  )
}
