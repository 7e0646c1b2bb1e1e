import { pushView } from '@latchkey/core/internal'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Notice } from '../../parts/Notice.tsx'
import { TestMoney } from './TestMoney.tsx'
import styles from './Tokens.module.css'

/** The first steps for an account without assets on the network. */
export function FirstSteps() {
  const app = useApp()
  const t = useT(enActivity)
  const { network } = useNetwork()
  const { onramp, receive, faucet } = useAppCapabilities()
  const { name } = network
  return (
    <Notice
      icon="coins"
      title={t('first.title')}
      action={
        <div className={styles.next}>
          {onramp && (
            <Button look="quiet" icon="coins" onClick={() => pushView(app, { name: 'Buy' })}>
              {t('account.buy')}
            </Button>
          )}
          {receive && (
            <Button look="quiet" icon="receive" onClick={() => pushView(app, { name: 'Receive' })}>
              {t('account.receive')}
            </Button>
          )}
          <TestMoney />
        </div>
      }
    >
      {t(faucet ? 'first.hintFaucet' : 'first.hint', { network: name })}
    </Notice>
  )
}
