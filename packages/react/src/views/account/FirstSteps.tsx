import { pushView } from '@latchkey/core'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useActivityT } from '../../locales/useActivityT.ts'
import { Button } from '../../parts/Button.tsx'
import { Notice } from '../../parts/Notice.tsx'
import { TestMoney } from './TestMoney.tsx'
import styles from './Tokens.module.css'

/** What to do with an account that holds nothing on the network yet. */
export function FirstSteps() {
  const app = useApp()
  const t = useActivityT()
  const { network } = useNetwork()
  const { receive, faucet } = useAppCapabilities()
  const { name } = network
  return (
    <Notice
      icon="coins"
      title={t('first.title')}
      action={
        <div className={styles.next}>
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
