import { canParseUrl, evmReadMethods, listenChannel } from '@latchkey/wire'
import * as z from 'zod/mini'
import { answerCapabilities } from './batch/answerCapabilities.ts'
import { answerStatus, fail } from './batch/readBatch.ts'
import { type Config, loadConfig } from './config.ts'
import {
  bridgeProtocol,
  type Call,
  type SiteState,
  type WalletResult,
} from './extension/protocol.ts'
import { callNode } from './node.ts'
import {
  currentChain,
  disconnectBitcoinSite,
  disconnectSite,
  disconnectSolanaSite,
  readState,
  stateFor,
  watchState,
} from './state.ts'

z.config({ jitless: true })

/** Methods with which a page may read from a node without the user's approval. */
const reads: ReadonlySet<string> = new Set([
  ...evmReadMethods,
  'eth_blobBaseFee',
  'eth_createAccessList',
  'web3_clientVersion',
])

/** The permissions of a page in the form of EIP-2255. */
const permissions = (origin: string, { connected, accounts }: SiteState) =>
  connected
    ? [
        {
          invoker: origin,
          parentCapability: 'eth_accounts',
          caveats: [{ type: 'restrictReturnedAccounts', value: accounts }],
        },
      ]
    : []

function answer(
  origin: string,
  config: Config,
  site: SiteState,
  call: Call,
): WalletResult | Promise<WalletResult> {
  switch (call.method) {
    case 'eth_accounts':
      return { result: site.accounts }
    case 'eth_coinbase':
      return { result: site.accounts[0] ?? null }
    case 'eth_chainId':
      return { result: site.chainId }
    case 'net_version':
      return { result: String(Number(site.chainId)) }
    case 'wallet_getPermissions':
      return { result: permissions(origin, site) }
    case 'solana_getAccounts':
      return { result: site.solanaAccounts.map((pubkey) => ({ pubkey })) }
    case 'solana_disconnect':
      disconnectSolanaSite(origin)
      return { result: null }
    case 'polkadot_getAccounts':
      return { result: site.polkadotAccounts.map((address) => ({ address })) }
    case 'bip122_getAddresses':
      return { result: site.bitcoinAddresses }
    case 'bip122_disconnect':
      disconnectBitcoinSite(origin)
      return { result: null }
    case 'wallet_revokePermissions':
      disconnectSite(origin)
      return { result: null }
  }
  const chainId = Number(site.chainId)
  if (readState().sendsAtomically && site.accounts.length > 0) {
    const { method, params } = call
    if (method === 'wallet_getCapabilities')
      return answerCapabilities({
        ...{ params, accounts: site.accounts, chainIds: site.chainIds.map(Number) },
        sendsAtomically: true,
      })
    if (method === 'wallet_getCallsStatus')
      return answerStatus({ params, config, topic: origin }).catch(() =>
        fail(-32602, 'The id of the batch is missing'),
      )
  }
  if (reads.has(call.method)) return callNode(currentChain(config, { chainId }), call)
  return {
    error: { code: 4200, message: `The wallet does not support ${call.method.slice(0, 100)}` },
  }
}

async function start(): Promise<void> {
  const peerOrigin = window.location.hash.slice(1)
  if (window.parent === window || !canParseUrl(peerOrigin)) return
  const config = await loadConfig().catch(() => undefined)
  // No response is needed: the page reports after a while that the wallet does not run.
  if (!config) return
  listenChannel({
    window,
    peer: window.parent,
    peerOrigin,
    allowedOrigin: () => true,
    protocol: bridgeProtocol,
    onConnect: ({ origin, emit, closed }) => {
      // A browser may separate a frame's storage from a window's (WebKit does). The window's state
      // that a page passes on only affects what this page itself sees: the window checks its own
      // state before it allows anything.
      let givenState: SiteState | undefined
      const site = () => givenState ?? stateFor(origin, config, readState())
      const tell = () => {
        givenState = undefined
        emit('state', site())
      }
      closed.addEventListener('abort', watchState(tell))
      return {
        state: (windowState) => {
          givenState = windowState ?? givenState
          return site()
        },
        rpc: (call) => answer(origin, config, site(), call),
      }
    },
  })
}

void start()
