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

/** The faucet of the selected network, which pays the connected account test money. */
export function useFaucet(): {
  /** Whether the network has a faucet, and an account is connected. */
  isAvailable: boolean
  /** Requests test money. A toast reports that it is on its way. Never rejects. */
  getTestMoney: () => Promise<void>
  isPending: boolean
  /** Why the latest request for this account failed, and what to do. */
  problem: string | undefined
} {
  const app = useApp()
  const t = useT(enActivity)
  const getMessage = useErrorMessage()
  const { faucet } = useAppCapabilities()
  const { address } = useAccount()
  const { caipNetworkId: chainId } = useNetwork().network
  const { refresh } = useBalances()
  const { mutateAsync: run, isPending, error, variables } = useAction(askFaucet)
  const getTestMoney = async () => {
    if (address === undefined || isPending) return
    try {
      await run({ address, chainId })
    } catch {
      return
    }
    showToast(app, { message: t('tokens.testMoneyComes'), variant: 'success' })
    await refresh()
  }
  const describe = (cause: Error) => {
    if (isError(cause, 'RATE_LIMITED')) return t('tokens.testMoneyLimit', cause.data)
    return isError(cause, 'OFFLINE') ? getMessage(cause) : t('tokens.testMoneyFailed')
  }
  const isOfAccount = variables?.address === address && variables?.chainId === chainId
  return {
    isAvailable: faucet && address !== undefined,
    getTestMoney,
    isPending,
    problem: error && isOfAccount ? describe(error) : undefined,
  }
}
