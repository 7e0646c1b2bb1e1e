import { pushView } from '@latchkey/core/internal'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { FaucetButton } from './FaucetButton.tsx'
import styles from './Tokens.module.css'

/** The ways to get something on the network: to buy, to receive, and test money. */
export function FirstSteps() {
  const app = useApp()
  const t = useT(enActivity)
  const { onramp, receive } = useAppCapabilities()
  return (
    <div className={styles.next}>
      {onramp && (
        <Button variant="quiet" icon="coins" onClick={() => pushView(app, { name: 'Buy' })}>
          {t('account.buy')}
        </Button>
      )}
      {receive && (
        <Button variant="quiet" icon="receive" onClick={() => pushView(app, { name: 'Receive' })}>
          {t('account.receive')}
        </Button>
      )}
      <FaucetButton />
    </div>
  )
}
