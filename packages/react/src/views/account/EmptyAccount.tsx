import { pushView } from '@latchkey/core/internal'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaucetButton } from './FaucetButton.tsx'
import styles from './Tokens.module.css'

/** The first steps for an account without assets on the network. */
export function EmptyAccount() {
  const app = useApp()
  const t = useT(enActivity)
  const { network } = useNetwork()
  const { onramp, receive, faucet } = useAppCapabilities()
  const { name } = network
  return (
    <EmptyState
      icon="coins"
      title={t('first.title')}
      action={
        <div className={styles.next}>
          {onramp && (
            <Button variant="quiet" icon="coins" onClick={() => pushView(app, { name: 'Buy' })}>
              {t('account.buy')}
            </Button>
          )}
          {receive && (
            <Button
              variant="quiet"
              icon="receive"
              onClick={() => pushView(app, { name: 'Receive' })}
            >
              {t('account.receive')}
            </Button>
          )}
          <FaucetButton />
        </div>
      }
    >
      {t(faucet ? 'first.hintFaucet' : 'first.hint', { network: name })}
    </EmptyState>
  )
}
