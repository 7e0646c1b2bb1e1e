import {
  type ChainId,
  decodeBase58,
  decodeBase64,
  encodeBase58,
  encodeBase64,
  LatchkeyError,
} from '@latchkey/wire'
import { toWalletError } from '../../../connection/connectors/walletError.ts'
import type { ChainRequest } from '../../requestHandlers.ts'
import { getFeature, type StandardWallet } from '../../walletStandard/standardWallet.ts'
import { signInByMessage, signInByWallet } from '../signIn/signIn.ts'
import {
  checkSolanaResult,
  parseSolanaRequest,
  type SolanaRequest,
} from '../transaction/checkSolanaResult.ts'
import type { StandardAccount } from './standardAccount.ts'
import { findSolanaStandardChain } from './standardChains.ts'

type Access = { wallet: StandardWallet; accounts: readonly StandardAccount[] }

/** The feature that a method needs, and its function. */
const features: Readonly<Record<string, readonly [feature: string, method: string]>> = {
  solana_signMessage: ['solana:signMessage', 'signMessage'],
  solana_signTransaction: ['solana:signTransaction', 'signTransaction'],
  solana_signAllTransactions: ['solana:signTransaction', 'signTransaction'],
  solana_signAndSendTransaction: ['solana:signAndSendTransaction', 'signAndSendTransaction'],
}

/** The methods that a wallet's accounts have on a network. */
export function getMethods({ wallet, accounts }: Access, chainId: ChainId): readonly string[] {
  const here = accounts.filter(({ chains }) => findSolanaStandardChain(chains, chainId))
  return Object.entries(features).flatMap(([name, [feature, method]]) => {
    const isAllowed = here.some((account) => account.features.includes(feature))
    return isAllowed && hasFeature(wallet, feature, method) ? name : []
  })
}

function hasFeature(wallet: StandardWallet, feature: string, method: string) {
  try {
    return getFeature(wallet, feature, method) !== undefined
  } catch {
    return false
  }
}

/**
 * Sends a request with WalletConnect's methods through the wallet's features, and verifies the
 * result. Throws UNAUTHORIZED for an account that the wallet does not allow, CHAIN_NOT_SUPPORTED,
 * UNSUPPORTED_METHOD, INVALID_PARAMS, WALLET_ANSWER_INVALID, WALLET_SIGNED_OTHER and the wallet's
 * errors.
 */
export async function requestFromFeatures(
  access: Access,
  { chainId, method, params }: ChainRequest,
): Promise<unknown> {
  const { wallet, accounts } = access
  if (method === 'solana_getAccounts' || method === 'solana_requestAccounts')
    return accounts.map(({ address }) => ({ pubkey: address }))
  if (method === 'solana_signIn') return signIn(access, { chainId, method, params })
  const question = parseSolanaRequest(
    { method, params },
    accounts.map(({ address }) => address),
  )
  const account = accounts.find(({ address }) => address === question.address)
  if (!account) throw new LatchkeyError('UNAUTHORIZED')
  const chain = findSolanaStandardChain(account.chains, chainId)
  if (!chain) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
  try {
    const [feature = '', name = ''] = features[method] ?? []
    const ask = account.features.includes(feature) && getFeature(wallet, feature, name)
    if (!ask) throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
    const outputs = await ask(...toInputs(question, { account: account.source, chain }))
    return await checkSolanaResult(question, toAnswer(question, outputs))
  } catch (error) {
    throw toWalletError(error, method)
  }
}

/** Uses the wallet's own sign-in if it supports that, else has it sign the message. */
async function signIn(access: Access, request: ChainRequest): Promise<unknown> {
  const { wallet, accounts } = access
  const { params, method } = request
  const question = { params, addresses: accounts.map(({ address }) => address) }
  if (!hasFeature(wallet, 'solana:signIn', 'signIn'))
    return signInByMessage(question, (message) =>
      requestFromFeatures(access, { ...request, method: 'solana_signMessage', params: message }),
    )
  return signInByWallet(question, async (input) => {
    try {
      return toSignedIn(await getFeature(wallet, 'solana:signIn', 'signIn')?.(input))
    } catch (error) {
      throw toWalletError(error, method)
    }
  })
}

/** Converts the output of a wallet's sign-in to base58. Throws WALLET_ANSWER_INVALID. */
export function toSignedIn(outputs: unknown): object {
  try {
    const [output] = outputs as readonly Record<string, unknown>[]
    const { account, signedMessage, signature } = output ?? {}
    return {
      address: (account as { address: unknown }).address,
      signedMessage: encodeBase58(toBytes(signedMessage)),
      signature: encodeBase58(toBytes(signature)),
    }
  } catch (cause) {
    throw new LatchkeyError('WALLET_ANSWER_INVALID', { cause })
  }
}

/** The inputs for a feature: one for each message or transaction to sign. */
function toInputs(question: SolanaRequest, parameters: { account: unknown; chain: string }) {
  const { account, chain } = parameters
  if (question.method === 'solana_signMessage')
    return [{ account, message: decodeBase58(question.message) }]
  const { sendOptions } = question
  return question.transactions.map((transaction) => ({
    account,
    chain,
    transaction: decodeBase64(transaction),
    ...(sendOptions && { options: sendOptions }),
  }))
}

/** Converts the wallet's bytes to WalletConnect's format. Throws WALLET_ANSWER_INVALID. */
function toAnswer(question: SolanaRequest, outputs: unknown): unknown {
  try {
    const list = outputs as readonly Record<string, unknown>[]
    const bytes = (index: number, field: string) => toBytes(list[index]?.[field])
    if (question.method === 'solana_signAllTransactions')
      return {
        transactions: question.transactions.map((_, index) =>
          encodeBase64(bytes(index, 'signedTransaction')),
        ),
      }
    if (question.method === 'solana_signTransaction')
      return { transaction: encodeBase64(bytes(0, 'signedTransaction')) }
    return { signature: encodeBase58(bytes(0, 'signature')) }
  } catch (cause) {
    throw new LatchkeyError('WALLET_ANSWER_INVALID', { cause })
  }
}

/** The largest result; no valid result is longer. */
const bytesLimit = 10_000

// An extension's array may come from another realm.
function toBytes(value: unknown): Uint8Array {
  const { length } = value as { length: unknown }
  if (!ArrayBuffer.isView(value) || Number(length) > bytesLimit) throw new TypeError('Not bytes')
  return Uint8Array.from(value as Uint8Array)
}
