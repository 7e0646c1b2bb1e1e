import { bytesToHex, type ChainId, isError, LatchkeyError } from '@latchkey/wire'
import { decodeSs58Address, encodeAddress, getPrefix } from '@latchkey/wire/polkadot'
import { abortable } from '../../../abortable.ts'
import type {
  Connector,
  ConnectorEvent,
  ConnectResult,
} from '../../../connection/connectors/connector.ts'
import { toWalletError } from '../../../connection/connectors/walletError.ts'
import { withTimeout } from '../../../connection/connectors/withTimeout.ts'
import type { Account } from '../../../state.ts'
import { checkPolkadotResult, parsePolkadotRequest } from '../signature/checkPolkadotResult.ts'
import type { EnabledWallet, InjectedWalletParameters } from './injectedWallet.ts'
import { listenToPolkadotAccounts } from './listenToAccounts.ts'
import { type InjectedAccount, isOnChain, parsePolkadotAccounts } from './parseAccounts.ts'

type ConnectParameters = Parameters<Connector['connect']>[0]

/**
 * A connector for an injected wallet. Such a wallet cannot be read silently, because `enable`
 * prompts unless the page is already allowed. So a saved connection is restored from storage, and
 * the first request enables the wallet.
 */
export function createInjectedWallet(parameters: InjectedWalletParameters): Connector {
  const { info, wallet, appName, chainIds, getSaved, sleep } = parameters
  const listeners = new Set<(event: ConnectorEvent) => void>()
  let enabled: EnabledWallet | undefined
  let stopListening: (() => void) | undefined
  let result: ConnectResult | undefined

  const emit = (event: ConnectorEvent) => {
    for (const listener of listeners) listener(event)
  }

  /** Takes over the result of `enable`, and the accounts that the wallet allows. */
  async function open(answer: Promise<unknown>, signal?: AbortSignal) {
    const next = (await whole(explain(answer, 'enable'), signal)) as EnabledWallet
    const accounts = await whole(readAccounts(next), signal)
    if (accounts.length === 0) throw new LatchkeyError('UNAUTHORIZED')
    stopListening?.()
    enabled = next
    stopListening = listenToPolkadotAccounts(next, accounts, follow)
    return accounts
  }

  const readAccounts = async (source: EnabledWallet) => {
    const work = async () => source.accounts?.get?.()
    return parsePolkadotAccounts(await explain(withTimeout(work, sleep), 'accounts.get'))
  }

  /** Reports the new accounts if the wallet sends them on its own. */
  function follow(accounts: readonly InjectedAccount[]) {
    const chainId = result?.chainId ?? getSaved()?.chainId
    if (!chainId) return
    const next = toResult(accounts, chainId)
    result = next
    emit({ type: 'accountsChanged', accounts: next?.accounts ?? [] })
  }

  return {
    info,
    async connect({ response, chainId, signal }: ConnectParameters) {
      const accounts = await open(response ?? call(() => wallet.enable(appName)), signal)
      const ids = chainIds()
      const usable = [...ids.filter((id) => id === chainId), ...ids]
      const id = usable.find((each) => accounts.some((account) => isOnChain(account, each)))
      const found = id && toResult(accounts, id)
      if (!found) throw new LatchkeyError('NO_CHAINS_ON_CONNECTOR')
      result = found
      return found
    },
    async authorized() {
      const saved = getSaved()
      if (!saved) return undefined
      const ids = chainIds()
      const id = ids.includes(saved.chainId) ? saved.chainId : ids[0]
      result = id && toResult(decode(saved.accounts), id)
      return result
    },
    async request(chainId, method, params) {
      const parameters = parsePolkadotRequest({ chainId, method, params })
      if (!chainIds().includes(chainId)) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
      const accounts = enabled
        ? await readAccounts(enabled)
        : await open(call(() => wallet.enable(appName)))
      const own = accounts.find(
        (each) => isOnChain(each, chainId) && `${each.account}` === `${parameters.account}`,
      )
      if (!own) throw new LatchkeyError('UNAUTHORIZED')
      const { address } = own
      const { payload, message } = parameters
      const answer = call(async () => {
        const { signer } = enabled ?? {}
        if (typeof (payload ? signer?.signPayload : signer?.signRaw) !== 'function')
          throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
        if (payload) return signer?.signPayload?.({ ...payload, address })
        return signer?.signRaw?.({ address, data: `0x${bytesToHex(message)}`, type: 'bytes' })
      })
      return checkPolkadotResult(parameters, await explain(answer, method))
    },
    async selectChain(chainId) {
      const accounts = enabled ? await readAccounts(enabled) : decode(result?.accounts ?? [])
      const next = toResult(accounts, chainId)
      if (!next || !chainIds().includes(chainId)) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
      result = next
      // An account has another address on each network.
      emit({ type: 'accountsChanged', accounts: next.accounts })
    },
    async disconnect() {
      stopListening?.()
      stopListening = undefined
      enabled = undefined
      result = undefined
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const decode = (accounts: readonly Account[]): readonly InjectedAccount[] =>
  accounts.flatMap(({ address }) => {
    const account = decodeSs58Address(address)
    return account ? { account, address } : []
  })

/** The accounts of a network, with their addresses in the network's format. */
function toResult(
  accounts: readonly InjectedAccount[],
  chainId: ChainId,
): ConnectResult | undefined {
  const prefix = getPrefix(chainId)
  const [first, ...rest] = accounts
    .filter((each) => isOnChain(each, chainId))
    .map(({ account }): Account => {
      return { namespace: 'polkadot', address: encodeAddress(account, prefix), type: 'eoa' }
    })
  return first && { accounts: [first, ...rest], chainId }
}

const whole = <T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  signal ? abortable(answer, signal) : answer

// Async, because a wallet's code may throw.
const call = async (work: () => unknown): Promise<unknown> => work()

const explain = <T>(answer: Promise<T>, method: string): Promise<T> =>
  answer.catch((error: unknown) => {
    throw toInjectedError(error, method)
  })

/**
 * Converts an injected wallet's error. Such wallets report only in the message that the user
 * rejected.
 */
function toInjectedError(error: unknown, method: string): LatchkeyError {
  const known = toWalletError(error, method)
  if (!isError(known, 'RPC_FAILED')) return known
  const { reason } = known.data
  if (/^\s*(cancell?ed|rejected)\b/i.test(String(reason)))
    return new LatchkeyError('USER_REJECTED', { cause: error })
  if (/not allowed to interact/i.test(String(reason)))
    return new LatchkeyError('UNAUTHORIZED', { cause: error })
  return known
}
