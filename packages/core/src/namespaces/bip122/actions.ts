import { LatchkeyError } from '@latchkey/wire'
import { verifyBitcoinMessage } from '@latchkey/wire/bitcoin'
import type { Actions } from '../actions.ts'
import { findBitcoinNetwork, findNetworks, formatBitcoinAddress, toAddress } from './addresses.ts'
import { createEsploraClient } from './createEsploraClient.ts'
import { readCoinBalance, readConfirmationCount, readGenesis } from './esplora.ts'
import { decodeBytes } from './parsePsbt.ts'
import { getMaxBitcoinSend, planBitcoinTransfer } from './planTransfer.ts'

/**
 * Limits of the pause between two reads of a transaction's block. The pause is a tenth of the time
 * waited.
 */
const shortestPollMs = 5_000
const longestPollMs = 60_000
/** Confirmations after which a transaction counts as final. */
const finalConfirmations = 6

/** The actions on Bitcoin networks. */
export const bitcoinActions: Actions = {
  namespace: 'bip122',
  node: { path: 'esplora/', createClient: createEsploraClient },
  isNodeOf: async ({ node, network }) => (await readGenesis(node)).startsWith(String(network.id)),
  isAddress: (address, chainId) => {
    const found = findNetworks(address)
    return chainId
      ? found.includes(findBitcoinNetwork({ caipNetworkId: chainId }))
      : found.length > 0
  },
  formatAddress: formatBitcoinAddress,
  balance: readCoinBalance,
  planTransfer: planBitcoinTransfer,
  maxSend: getMaxBitcoinSend,
  signMessage,
  isFinal: async ({ node, hash }) =>
    (await readConfirmationCount(node, hash)) >= finalConfirmations,
  async waitForTransaction({ node, hash, signal, sleep }) {
    for (let waitedMs = 0; !signal.aborted; ) {
      if ((await readConfirmationCount(node, hash)) > 0) return { status: 'success' }
      const ms = Math.min(longestPollMs, Math.max(shortestPollMs, waitedMs / 10))
      await sleep(ms, signal)
      waitedMs += ms
    }
    throw new LatchkeyError('ABORTED')
  },
}

/**
 * Has the wallet sign with BIP-322 for Taproot addresses, which ECDSA does not support, and with
 * ECDSA for other addresses, which every wallet supports. Verifies the signature. Resolves to the
 * signature in base64.
 */
async function signMessage({ wallet, address, message }: Parameters<Actions['signMessage']>[0]) {
  const networks = findNetworks(address)
  const isTaproot = networks.some((network) => toAddress(address, network).type === 'p2tr')
  const protocol = isTaproot ? 'bip322' : 'ecdsa'
  const answer = await wallet('signMessage', { account: address, message, address, protocol })
  const { signature } = (answer ?? {}) as { signature?: unknown }
  if (typeof signature !== 'string') throw new LatchkeyError('WALLET_ANSWER_INVALID')
  const isValid = networks.some((network) =>
    verifyBitcoinMessage({ address, network, message, signature }),
  )
  if (!isValid) throw new LatchkeyError('WALLET_SIGNED_OTHER')
  return btoa(String.fromCharCode(...decodeBytes(signature.replace(/^smp/, ''))))
}
