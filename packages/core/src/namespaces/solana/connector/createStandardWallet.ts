import { type ChainId, isError, LatchkeyError } from '@latchkey/wire'
import { abortable } from '../../../abortable.ts'
import type { Connector, ConnectResult } from '../../../connection/connectors/connector.ts'
import { toWalletError } from '../../../connection/connectors/walletError.ts'
import { withTimeout } from '../../../connection/connectors/withTimeout.ts'
import type { Account } from '../../../state.ts'
import { getFeature } from '../../walletStandard/standardWallet.ts'
import { listenToSolanaAccounts } from './listenToAccounts.ts'
import { parseSolanaAccounts } from './parseAccounts.ts'
import { getMethods, requestFromFeatures } from './requestFromFeatures.ts'
import type { StandardAccount, StandardWalletParameters } from './standardAccount.ts'
import { findSolanaStandardChain } from './standardChains.ts'

/**
 * A connector for a wallet of the Wallet Standard. The page selects the network, because the wallet
 * has no current one.
 */
export function createSolanaStandardWallet(parameters: StandardWalletParameters): Connector {
  const { info, wallet, chainIds, sleep } = parameters

  /** The accounts that the wallet has allowed so far; throws WALLET_ANSWER_INVALID. */
  const readAccounts = () => parseSolanaAccounts(attempt(() => wallet.accounts))

  const silently = <T>(work: () => Promise<T>) => withTimeout(work, sleep)

  let asking: Promise<readonly StandardAccount[]> | undefined
  /**
   * The accounts that the wallet allows. After a reload most wallets report them only on request.
   */
  async function readAllowed(): Promise<readonly StandardAccount[]> {
    const known = readAccounts()
    if (known.length > 0) return known
    asking ??= askSilently().finally(() => {
      asking = undefined
    })
    return asking
  }

  async function askSilently(): Promise<readonly StandardAccount[]> {
    const ask = () => getFeature(wallet, 'standard:connect', 'connect')?.({ silent: true })
    try {
      return parseSolanaAccounts(getAccounts(await silently(() => call(ask))))
    } catch (error) {
      const known = toWalletError(error, 'standard:connect')
      // A wallet throws this if it would have to prompt the user.
      if (isError(known, 'USER_REJECTED') || isError(known, 'UNAUTHORIZED')) return []
      throw known
    }
  }

  /**
   * The accounts on the first network that the wallet supports; undefined if it supports none of
   * them.
   */
  function toResult(
    accounts: readonly StandardAccount[],
    preferredChainId: ChainId | undefined,
  ): ConnectResult | undefined {
    const ids = chainIds()
    const chainId = [...ids.filter((id) => id === preferredChainId), ...ids].find((id) =>
      accounts.some(({ chains }) => findSolanaStandardChain(chains, id)),
    )
    if (!chainId) return undefined
    const [first, ...rest] = accounts
      .filter(({ chains }) => findSolanaStandardChain(chains, chainId))
      .map(({ address }): Account => ({ namespace: 'solana', address, type: 'eoa' }))
    return first && { accounts: [first, ...rest], chainId }
  }

  return {
    info,
    async connect({ response, chainId, signal }) {
      const ask = () => call(() => getFeature(wallet, 'standard:connect', 'connect')?.())
      const signedIn = response ? undefined : await signIn(parameters, { chainId, signal })
      const answer = signedIn ?? (await abortable(explain(response ?? ask()), signal))
      const accounts = parseSolanaAccounts(getAccounts(answer))
      if (accounts.length === 0) throw new LatchkeyError('WALLET_ANSWER_INVALID')
      const result = toResult(accounts, chainId)
      if (!result) throw new LatchkeyError('NO_CHAINS_ON_CONNECTOR')
      return result
    },
    authorized: async () => toResult(await readAllowed(), undefined),
    async request(chainId, method, params) {
      const known = readAccounts()
      // Without waiting if the accounts are known, because some browsers let a wallet open its
      // window only in a click.
      const accounts = known.length > 0 ? known : await readAllowed()
      return requestFromFeatures({ wallet, accounts }, { chainId, method, params })
    },
    approvedMethods(chainId) {
      const accounts = attempt(readAccounts) ?? []
      return accounts.length === 0 ? undefined : getMethods({ wallet, accounts }, chainId)
    },
    async selectChain(chainId) {
      if (!(await readAllowed()).some(({ chains }) => findSolanaStandardChain(chains, chainId)))
        throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
    },
    async disconnect() {
      await silently(() => call(() => getFeature(wallet, 'standard:disconnect', 'disconnect')?.()))
    },
    subscribe: (listener) => listenToSolanaAccounts(wallet, listener),
  }
}

async function signIn(
  { wallet, chainIds, oneClick }: StandardWalletParameters,
  { chainId, signal }: { chainId: ChainId | undefined; signal: AbortSignal },
): Promise<unknown> {
  const wanted = chainId ?? chainIds()[0]
  if (!oneClick || !wanted) return undefined
  const { signInToConnect } = await import('../signIn/signInToConnect.ts')
  return signInToConnect({ wallet, oneClick: await oneClick() }, { chainId: wanted, signal })
}

// Async, because a wallet's code may throw.
const call = async (work: () => unknown): Promise<unknown> => work()

const explain = (answer: Promise<unknown>) =>
  answer.catch((error: unknown) => {
    throw toWalletError(error, 'standard:connect')
  })

function getAccounts(answer: unknown): unknown {
  return attempt(() => (answer as { accounts?: unknown } | undefined)?.accounts)
}

// A wallet's getters may throw.
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
