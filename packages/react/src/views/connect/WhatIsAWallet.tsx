import { pushView } from '@latchkey/core/internal'
import { useApp } from '../../app/useApp.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import styles from '../view.module.css'
import { WalletFacts } from './WalletFacts.tsx'

/** Explains what a wallet is and how to get one. */
export function WhatIsAWallet() {
  const app = useApp()
  const t = useT()
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
