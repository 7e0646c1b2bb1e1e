import {
  getPlatform,
  type LinkedWallet,
  openLink,
  type WalletLink,
  walletLinks,
} from '@latchkey/core/internal'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useLatestCallback } from '../../app/useLatestCallback.ts'
import { enPairing } from '../../locales/enPairing.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { PendingState } from '../../parts/PendingState.tsx'
import styles from './ConnectingWalletConnect.module.css'
import { hasProblem, PairingProblem } from './PairingProblem.tsx'
import type { WalletPairing } from './useWalletPairing.ts'

/** How long the tap that led here still counts as a wish to open the wallet. */
const TAP_LASTS_MS = 1_000

/** How long a user stays here before seeing another way to the wallet. */
const STILL_HERE_MS = 3_000

/** Opens a wallet on this device by a link with the pairing. */
export function OpenPane({
  method,
  wallet,
  pairing,
  picture,
}: {
  method: 'phone' | 'webapp' | 'desktop'
  wallet: LinkedWallet
  pairing: WalletPairing
  picture: ReactNode
}) {
  const app = useApp()
  const t = useT(enPairing)
  const [wasOpened, setWasOpened] = useState(false)
  const isStillHere = useIsLater(wasOpened)
  const { name } = wallet
  const { link, other } = useLinks({ method, wallet, uri: pairing.uri })
  const open = (walletLink: WalletLink) => {
    pairing.markOpened()
    setWasOpened(true)
    // A web page must not replace this one; a phone or computer passes the link to the wallet.
    if (method !== 'phone' && /^https?:/i.test(walletLink.href))
      app.environment.page?.open(walletLink.href, '_blank', 'noopener noreferrer')
    else openLink(app, { link: walletLink, name })
  }
  useOpenAtOnce(method === 'phone' ? link : undefined, open)

  if (hasProblem(pairing)) return <PairingProblem pairing={pairing} picture={picture} name={name} />
  return (
    <PendingState
      picture={picture}
      status="waiting"
      title={t('connecting.waiting', { name })}
      hint={isStillHere ? t('pairing.openAgain', { name }) : t(hints[method])}
    >
      <div className={styles.buttons}>
        <Button busy={link === undefined} onClick={() => link && open(link)}>
          {t('pairing.open')}
        </Button>
        {isStillHere && other && (
          <Button variant="quiet" onClick={() => open(other)}>
            {t('pairing.openOther')}
          </Button>
        )}
        <Button
          variant="quiet"
          icon="copy"
          disabled={pairing.uri === undefined}
          onClick={pairing.copyLink}
        >
          {t('pairing.copy')}
        </Button>
      </div>
    </PendingState>
  )
}

const hints = {
  phone: 'connecting.waitingHint',
  webapp: 'pairing.webHint',
  desktop: 'pairing.desktopHint',
} as const

/** Whether something has been true for a while; time behind the wallet does not count. */
function useIsLater(holds: boolean): boolean {
  const [isLater, setIsLater] = useState(false)
  useEffect(() => {
    if (!holds) return
    const timer = setTimeout(() => setIsLater(true), STILL_HERE_MS)
    return () => clearTimeout(timer)
  }, [holds])
  return isLater
}

/** The link of a method, and on a phone a second link in case the first did not open the wallet. */
function useLinks({
  method,
  wallet,
  uri,
}: {
  method: 'phone' | 'webapp' | 'desktop'
  wallet: LinkedWallet
  uri: string | undefined
}): { link?: WalletLink | undefined; other?: WalletLink | undefined } {
  const app = useApp()
  const chainId = useAppState((state) => state.activeChainId)
  if (uri === undefined) return {}
  const { page } = app.environment
  const { mobile, universal, ...links } = walletLinks({
    wallet,
    uri,
    platform: getPlatform({ page }),
    pageUrl: page?.location.href ?? '',
    chainId,
  })
  if (method !== 'phone') return { link: links[method] }
  return mobile ? { link: mobile, other: universal } : { link: universal }
}

/**
 * Opens the wallet without a second tap if the pairing arrives while the first tap still counts.
 */
function useOpenAtOnce(link: WalletLink | undefined, open: (link: WalletLink) => void) {
  const [shownAtMs] = useState(() => performance.now())
  const isDone = useRef(false)
  const fire = useLatestCallback(open)
  useEffect(() => {
    if (link === undefined || isDone.current) return
    isDone.current = true
    const isSoon = performance.now() - shownAtMs < TAP_LASTS_MS
    // Without a tap, browsers refuse to open another app, or ask first.
    if (isSoon && navigator.userActivation?.isActive !== false) fire(link)
  }, [link, shownAtMs, fire])
}
