import { type ChainId, isError, LatchkeyError } from '@latchkey/wire'
import { abortable } from '../../../abortable.ts'
import type {
  Connector,
  ConnectorEvent,
  ConnectResult,
} from '../../../connection/connectors/connector.ts'
import { toWalletError } from '../../../connection/connectors/walletError.ts'
import { withTimeout } from '../../../connection/connectors/withTimeout.ts'
import type { Account } from '../../../state.ts'
import { parseEvmChainId } from '../chainId.ts'
import { parseEvmAccounts } from './parseAccounts.ts'
import { choiceRequest, type Eip1193Parameters, type InjectedProvider } from './provider.ts'

/** Reads that a wallet answers without a prompt. */
const silentMethods: readonly string[] = ['eth_accounts', 'eth_chainId']

/** A connector for an EIP-1193 provider. */
export function createEip1193(parameters: Eip1193Parameters): Connector {
  const { info, sleep } = parameters
  // A provider from the app may open a window for any request.
  const isOfBrowser = !info.traits?.isExternal

  function provider(): InjectedProvider {
    const found = parameters.provider()
    if (!found) throw new LatchkeyError('CONNECTOR_NOT_FOUND')
    return found
  }

  async function ask(method: string, params?: readonly unknown[] | object) {
    try {
      return await provider().request(params === undefined ? { method } : { method, params })
    } catch (error) {
      throw toWalletError(error, method)
    }
  }

  /** Waits for the wallet's response to the request that was sent in the click. */
  async function answerTo(answer: Promise<unknown>) {
    provider()
    return answer.catch((error) => {
      throw toWalletError(error, 'eth_requestAccounts')
    })
  }

  /**
   * The accounts after the user has chosen; if the wallet offers no choice, the accounts that it
   * allows.
   */
  async function chosen(response: Promise<unknown> | undefined, signal: AbortSignal) {
    const own = provider()
    try {
      await (response ?? own.request(choiceRequest))
    } catch (error) {
      const known = toWalletError(error, choiceRequest.method)
      if (isError(known, 'USER_REJECTED') || isError(known, 'REQUEST_PENDING')) throw known
    }
    if (signal.aborted) throw new LatchkeyError('ABORTED')
    return ask('eth_requestAccounts')
  }

  /** Sends reads that need no consent. */
  const askSilently = (method: string) => withTimeout(() => ask(method), sleep)
  const readChainId = async () => parseChain(await askSilently('eth_chainId'))

  async function authorized(): Promise<ConnectResult | undefined> {
    const accounts = parseEvmAccounts(await askSilently('eth_accounts'))
    return isFilled(accounts) ? { accounts, chainId: await readChainId() } : undefined
  }

  return {
    info,
    ...(isOfBrowser && {
      accountChoice: {
        // A wallet that supports permissions (EIP-2255) lists them without a prompt.
        isOffered: () => askSilently('wallet_getPermissions').then(Array.isArray, () => false),
        async ask() {
          await ask(choiceRequest.method, choiceRequest.params)
          return authorized()
        },
      },
    }),
    async connect({ response, isAgain, signal }) {
      const first = () => (response ? answerTo(response) : ask('eth_requestAccounts'))
      const answer = isAgain && isOfBrowser ? chosen(response, signal) : first()
      const accounts = parseEvmAccounts(await abortable(answer, signal))
      if (!isFilled(accounts)) throw new LatchkeyError('WALLET_ANSWER_INVALID')
      return { accounts, chainId: await abortable(readChainId(), signal) }
    },
    authorized,
    request: (_chainId, method, params) =>
      silentMethods.includes(method) ? askSilently(method) : ask(method, params),
    // A page cannot end an EIP-1193 connection; the app remembers that it was ended.
    async disconnect() {},
    subscribe(listener) {
      const start = () => listen({ provider: parameters.provider(), listener, authorized })
      let stop = start()
      const end = parameters.onReplaced?.(() => {
        stop()
        stop = start()
      })
      return () => {
        end?.()
        stop()
      }
    },
  }
}

function listen(parameters: {
  provider: InjectedProvider | undefined
  listener: (event: ConnectorEvent) => void
  authorized: () => Promise<ConnectResult | undefined>
}) {
  const { provider, listener, authorized } = parameters
  let ended = false
  const notify = (event: ConnectorEvent) => {
    if (!ended) listener(event)
  }
  const handlers = {
    accountsChanged: (value: unknown) =>
      attempt(() => notify({ type: 'accountsChanged', accounts: parseEvmAccounts(value) })),
    chainChanged: (value: unknown) =>
      attempt(() => notify({ type: 'chainChanged', chainId: parseChain(value) })),
    // Wallets also send this event when they lose their own node for a moment. The wallet is gone
    // only if it no longer allows any account.
    disconnect: () => {
      authorized().then(
        (result) => !result && notify({ type: 'disconnect' }),
        () => notify({ type: 'disconnect' }),
      )
    },
  }
  for (const [event, handler] of Object.entries(handlers))
    attempt(() => provider?.on?.(event, handler))
  return () => {
    ended = true
    for (const [event, handler] of Object.entries(handlers))
      attempt(() => provider?.removeListener?.(event, handler))
  }
}

// Runs a wallet's code: errors and invalid values are ignored.
function attempt(work: () => unknown) {
  try {
    work()
  } catch {}
}

const isFilled = (accounts: readonly Account[]): accounts is [Account, ...Account[]] =>
  accounts.length > 0

/** The chain in a wallet's response; throws WALLET_ANSWER_INVALID. */
function parseChain(value: unknown): ChainId {
  const chainId = parseEvmChainId(value)
  if (chainId) return chainId
  throw new LatchkeyError('WALLET_ANSWER_INVALID')
}
