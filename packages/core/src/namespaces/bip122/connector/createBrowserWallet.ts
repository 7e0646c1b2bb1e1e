import { type ChainId, isError, LatchkeyError } from '@latchkey/wire'
import { abortable } from '../../../abortable.ts'
import { coalesce } from '../../../connection/connectors/coalesce.ts'
import type {
  Connector,
  ConnectorEvent,
  ConnectResult,
} from '../../../connection/connectors/connector.ts'
import { toWalletError } from '../../../connection/connectors/walletError.ts'
import { withTimeout } from '../../../connection/connectors/withTimeout.ts'
import type { Account, ConnectorInfo } from '../../../state.ts'
import { findBitcoinNetwork, findNetworks } from '../addresses.ts'
import { type BitcoinRequest, checkBitcoinResult, parseBitcoinRequest } from '../requests.ts'
import type { BrowserWallet, BrowserWalletContext } from './browserWallet.ts'
import {
  formatAddresses,
  isOnNetwork,
  type ParsedAddress,
  parseAddresses,
} from './parseAddresses.ts'

type Parameters = BrowserWalletContext & {
  info: ConnectorInfo
  wallet: BrowserWallet
  ask: () => Promise<unknown>
}

/**
 * A connector for a Bitcoin wallet of this browser. Each address belongs to a network, so the
 * wallet's addresses determine which of the page's networks it supports. If a wallet cannot be read
 * silently, the first request of a visit connects again.
 */
export function createBrowserWallet(parameters: Parameters): Connector {
  const { info, wallet, ask, chainIds, getSaved, sleep } = parameters
  const listeners = new Set<(event: ConnectorEvent) => void>()
  let known: readonly ParsedAddress[] | undefined

  const read = (answer: unknown) => {
    const addresses = parseAddresses(wallet, answer)
    known = addresses.length > 0 ? addresses : undefined
    return addresses
  }

  let asking: Promise<readonly ParsedAddress[]> | undefined
  /**
   * Reads the addresses without a prompt; empty if the wallet does not allow the page or cannot
   * answer without a prompt.
   */
  function readSilently(): Promise<readonly ParsedAddress[]> {
    const { authorized } = wallet
    if (!authorized) return Promise.resolve([])
    asking ??= explain(
      withTimeout(async () => authorized(), sleep),
      'connect',
    )
      .then(read)
      .catch((error: unknown) => {
        // A wallet throws this if it would have to prompt the user.
        if (isError(error, 'USER_REJECTED') || isError(error, 'UNAUTHORIZED')) return []
        throw error
      })
      .finally(() => {
        asking = undefined
      })
    return asking
  }

  /**
   * The current addresses. If the wallet has not reported any, reads them silently, then with a
   * prompt.
   */
  async function readNow(): Promise<readonly ParsedAddress[]> {
    if (known) return known
    const silent = await readSilently()
    const addresses = silent.length > 0 ? silent : read(await explain(ask(), 'connect'))
    if (addresses.length === 0) throw new LatchkeyError('UNAUTHORIZED')
    return addresses
  }

  function toResult(addresses: readonly ParsedAddress[], preferredChainId?: ChainId) {
    const ids = chainIds()
    const candidates = [...ids.filter((id) => id === preferredChainId), ...ids]
    const chainId = candidates.find((id) => addresses.some((each) => isOnNetwork(each, id)))
    return chainId && toAccounts(addresses, chainId)
  }

  const changes = coalesce((answer) => {
    const saved = getSaved()
    const addresses = read(answer)
    const accounts = saved && toAccounts(addresses, saved.chainId)?.accounts
    for (const listener of listeners)
      listener({ type: 'accountsChanged', accounts: accounts ?? [] })
  })
  let stop: (() => void) | undefined

  return {
    info,
    async connect({ response, chainId, signal }) {
      const addresses = read(await abortable(explain(response ?? ask(), 'connect'), signal))
      if (addresses.length === 0) throw new LatchkeyError('WALLET_ANSWER_INVALID')
      const result = toResult(addresses, chainId)
      if (!result) throw new LatchkeyError('NO_CHAINS_ON_CONNECTOR')
      return result
    },
    async authorized() {
      const saved = getSaved()
      if (wallet.authorized) return toResult(await readSilently(), saved?.chainId)
      if (!saved || !chainIds().includes(saved.chainId)) return undefined
      const network = findBitcoinNetwork({ caipNetworkId: saved.chainId })
      const isOwn = saved.accounts.every(({ address }) => findNetworks(address).includes(network))
      return isOwn ? { accounts: saved.accounts, chainId: saved.chainId } : undefined
    },
    async request(chainId, method, params) {
      if (!chainIds().includes(chainId)) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
      const addresses = (await readNow()).filter((each) => isOnNetwork(each, chainId))
      if (method === 'getAccountAddresses') return formatAddresses(addresses)
      const question = parseBitcoinRequest({ chainId, method, params })
      if (!wallet.methods.includes(method))
        throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
      const answer = call(() => callWallet({ wallet, question, addresses, chainId }))
      return checkBitcoinResult(question, await explain(answer, method))
    },
    approvedMethods: () => wallet.methods,
    async selectChain(chainId) {
      if (!(await readNow()).some((each) => isOnNetwork(each, chainId)))
        throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
    },
    async disconnect() {
      known = undefined
      await withTimeout(async () => wallet.disconnect?.(), sleep)
    },
    subscribe(listener) {
      listeners.add(listener)
      try {
        stop ??= wallet.subscribe?.(changes.receive)
      } catch {}
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        try {
          stop?.()
        } catch {}
        stop = undefined
      }
    },
  }
}

function toAccounts(
  addresses: readonly ParsedAddress[],
  chainId: ChainId,
): ConnectResult | undefined {
  const [first, ...rest] = addresses
    .filter((each) => isOnNetwork(each, chainId))
    .map(
      ({ address, purpose }): Account => ({
        namespace: 'bip122',
        address,
        type: 'payment',
        ...(purpose === 'ordinals' && { label: purpose }),
      }),
    )
  return first && { accounts: [first, ...rest], chainId }
}

/** Throws UNAUTHORIZED for an address that the wallet does not allow. */
function callWallet(parameters: {
  wallet: BrowserWallet
  question: BitcoinRequest
  addresses: readonly ParsedAddress[]
  chainId: ChainId
}): Promise<unknown> {
  const { wallet, question, addresses, chainId } = parameters
  const find = (address: string) => {
    const found = addresses.find((each) => each.address === address)
    if (!found) throw new LatchkeyError('UNAUTHORIZED')
    return found
  }
  const account = find(question.account)
  if (question.method === 'signMessage') return wallet.signMessage({ ...question, account })
  if (question.method === 'signPsbt') {
    const inputs = question.inputs.map((input) => ({ ...input, account: find(input.address) }))
    return wallet.signPsbt({ psbt: question.text, inputs, chainId })
  }
  if (!wallet.sendTransfer)
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: question.method } })
  return wallet.sendTransfer(question)
}

// Async, because a wallet's code may throw.
const call = async <T>(work: () => T | Promise<T>): Promise<T> => work()

const explain = <T>(answer: Promise<T>, method: string): Promise<T> =>
  answer.catch((error: unknown) => {
    throw toWalletError(error, method)
  })
