import { type FeeFields, isError, LatchkeyError } from '@latchkey/wire'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { Network } from '../../networks.ts'
import type { Request } from '../request.ts'
import type { TransactionOutcome } from '../transactionOutcome.ts'
import type { Amount, SendToken } from '../transferPlan.ts'
import { toBigInt, toHex } from './values.ts'

/** A transaction for the wallet, without its fee. */
export type WalletTransaction = { from: string; to: string; value: Hex; data?: Hex }

/** An amount with its asset's id (CAIP-19). */
export function getTransactionAmount(network: Network, token: SendToken, value: bigint): Amount {
  const { address, nft, decimals, symbol } = token
  const asset = nft
    ? `${nft.standard}:${address}/${nft.tokenId}`
    : address
      ? `erc20:${address}`
      : 'slip44:60'
  return { assetId: `${network.caipNetworkId}/${asset}`, value, decimals, symbol }
}

/** The error if the account cannot pay the network fee. */
export const insufficientGas = ({ nativeCurrency: { symbol } }: Network) =>
  new LatchkeyError('INSUFFICIENT_GAS', { data: { symbol } })

/** Fee fields as JSON-RPC takes them. */
export const hexFields = (fields: FeeFields) =>
  'gasPrice' in fields
    ? { gasPrice: toHex(fields.gasPrice) }
    : {
        maxFeePerGas: toHex(fields.maxFeePerGas),
        maxPriorityFeePerGas: toHex(fields.maxPriorityFeePerGas),
      }

/**
 * Estimates a transaction's gas. Throws INSUFFICIENT_FUNDS, RPC_FAILED with the reason if it would
 * fail.
 */
export async function estimateTransactionGas(node: Request, transaction: WalletTransaction) {
  try {
    return toBigInt(await node('eth_estimateGas', [transaction]))
  } catch (error) {
    if (isError(error, 'RPC_FAILED') && /insufficient funds/i.test(error.message))
      throw new LatchkeyError('INSUFFICIENT_FUNDS', { cause: error })
    throw error
  }
}

/** The balance of an ERC-20 in an account, in the token's smallest unit. */
export async function readTokenBalance(node: Request, token: string, owner: string) {
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner as Hex],
  })
  return toBigInt(await node('eth_call', [{ to: token, data }, 'latest']))
}

/**
 * Throws TRANSACTION_CANCELLED, TRANSACTION_REPLACED or TRANSACTION_UNCONFIRMED unless a
 * transaction, sped up or not, is in a block.
 */
export function assertIncluded({ status }: TransactionOutcome): void {
  if (status === 'cancelled') throw new LatchkeyError('TRANSACTION_CANCELLED')
  if (status === 'replaced') throw new LatchkeyError('TRANSACTION_REPLACED')
  if (status === 'unknown') throw new LatchkeyError('TRANSACTION_UNCONFIRMED')
}

/** Calls eth_sendTransaction, or wallet_sendTransaction if the wallet does not support it. */
export async function submit(wallet: Request, transaction: object) {
  const params = [transaction]
  const hash = await wallet('eth_sendTransaction', params).catch((error) => {
    if (isError(error, 'UNSUPPORTED_METHOD')) return wallet('wallet_sendTransaction', params)
    throw error
  })
  if (typeof hash === 'string' && /^0x[0-9a-fA-F]{64}$/.test(hash)) return hash
  throw new LatchkeyError('WALLET_ANSWER_INVALID')
}
