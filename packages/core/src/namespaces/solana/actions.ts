import { encodeBase58 } from '@latchkey/wire'
import type { Actions } from '../actions.ts'
import { formatSolanaAddress, isSolanaAddress } from './addresses.ts'
import { commitment, isNodeOf, toCount, toValue } from './nodeResponses.ts'
import { getMaxSolanaSend, planSolanaTransfer } from './planTransfer.ts'
import { readStatus } from './readStatus.ts'
import { checkSolanaResult } from './transaction/checkSolanaResult.ts'
import { waitForSolanaTransaction } from './waitForTransaction.ts'

/** The actions on Solana networks. */
export const solanaActions: Actions = {
  namespace: 'solana',
  isNodeOf,
  isAddress: isSolanaAddress,
  formatAddress: formatSolanaAddress,
  balance: async ({ node, address }) =>
    toCount(toValue(await node('getBalance', [address, { commitment }]))),
  planTransfer: planSolanaTransfer,
  maxSend: getMaxSolanaSend,
  signMessage,
  // Wallets have no current network: each request names one.
  switchTo: ({ network, selectChain }) => selectChain(network.caipNetworkId),
  isFinal: async ({ node, hash }) => (await readStatus(node, hash))?.isFinal === true,
  waitForTransaction: waitForSolanaTransaction,
}

/**
 * Resolves to the signature in base58. Throws unless the account has signed exactly this message.
 */
async function signMessage({ wallet, address, message }: Parameters<Actions['signMessage']>[0]) {
  const text = encodeBase58(new TextEncoder().encode(message))
  const method = 'solana_signMessage'
  const answer = await wallet(method, { message: text, pubkey: address })
  const checked = await checkSolanaResult({ method, address, message: text }, answer)
  return (checked as { signature: string }).signature
}
