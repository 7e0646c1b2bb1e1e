import { pushView } from '@latchkey/core/internal'
import { useApp } from '../../app/useApp.ts'
import { enHelp } from '../../locales/enHelp.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import styles from '../view.module.css'
import { Slides } from './Slides.tsx'

/** What a wallet is. */
export function WalletFacts() {
  const t = useT(enHelp)
  return (
    <Slides
      slides={[
        { icon: 'wallet', title: t('whatWallet.homeTitle'), text: t('whatWallet.home') },
        { icon: 'key', title: t('whatWallet.loginTitle'), text: t('whatWallet.login') },
        { icon: 'shield', title: t('whatWallet.yoursTitle'), text: t('whatWallet.yours') },
      ]}
    />
  )
}

/** Explains what a wallet is and how to get one. */
export function WhatIsAWallet() {
  const app = useApp()
  const t = useT(enHelp)
  return (
    <div className={styles.column}>
      <WalletFacts />
      {app.config.wallets.enabled && (
        <Button onClick={() => pushView(app, { name: 'GetAWallet' })}>
          {t('action.getWallet')}
        </Button>
      )}
    </div>
  )
}
