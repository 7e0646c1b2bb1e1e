import { askFaucet, showToast } from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { useAction } from '../../app/useAction.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import styles from './Tokens.module.css'

/** A button that has the faucet of a test network pay the account. Nothing on other networks. */
export function FaucetButton() {
  const app = useApp()
  const t = useT(enActivity)
  const getMessage = useErrorMessage()
  const { faucet } = useAppCapabilities()
  const { address } = useAccount()
  const { caipNetworkId: chainId } = useNetwork().network
  const { refresh } = useBalances()
  const { mutateAsync: run, status, error } = useAction(askFaucet)
  if (!faucet || address === undefined) return null
  const ask = async () => {
    try {
      await run({ address, chainId })
    } catch {
      return
    }
    showToast(app, { message: t('tokens.testMoneyComes'), variant: 'success' })
    await refresh()
  }
  return (
    <div className={styles.testMoney}>
      <Button variant="quiet" icon="coins" busy={status === 'pending'} onClick={ask}>
        {t('tokens.testMoney')}
      </Button>
      {status === 'error' && (
        <p role="alert" className={styles.failed}>
          {isError(error, 'RATE_LIMITED') ? getMessage(error) : t('tokens.testMoneyFailed')}
        </p>
      )}
    </div>
  )
}
