import { decodeBase58, type ErrorCode, isError, LatchkeyError } from '@latchkey/wire'
import type { Address } from '@solana/kit'
import type { Request } from '../request.ts'
import type { PlanTransferParameters } from '../transferPlan.ts'
import { findSolanaTransaction, isSameTransaction } from './findTransaction.ts'
import { hasValidSignature } from './isSignedBy.ts'
import { type CompiledMessage, type Lifetime, readLifetime } from './message.ts'
import { commitment, lifetimeBlocks, readHeight } from './nodeResponses.ts'
import { readStatus } from './readStatus.ts'
import { checkSolanaResult } from './transaction/checkSolanaResult.ts'

/** How often to poll for a transaction that may still land. */
const pollMs = 2_000

/** Errors that explain themselves; any other error becomes TRANSACTION_NOT_SENT. */
const ownCodes: readonly ErrorCode[] = [
  'USER_REJECTED',
  'REQUEST_PENDING',
  'NOT_CONNECTED',
  'CONNECTION_CHANGED',
  'WALLET_SIGNED_OTHER',
  'TRANSACTION_EXPIRED',
  'TRANSACTION_REPLACED',
  'ABORTED',
]
/** Errors of a wallet that does not support a method. */
const missingCodes: readonly ErrorCode[] = [
  'UNSUPPORTED_METHOD',
  'METHOD_NOT_FOUND',
  'METHOD_NOT_APPROVED',
]
/** Errors after which the wallet will not send anything. */
const finalCodes: readonly ErrorCode[] = [
  ...ownCodes,
  'UNAUTHORIZED',
  'CHAIN_NOT_APPROVED',
  'REQUEST_NOT_ALLOWED',
  'INVALID_PARAMS',
]

type Sending = Pick<PlanTransferParameters, 'wallet' | 'node' | 'approvedMethods' | 'sleep'> & {
  from: Address
  signal: AbortSignal
  compile(lifetime: Lifetime): CompiledMessage
}

type Attempt = Sending &
  CompiledMessage & {
    /** Height of the last block that can include it. */
    lastBlock: bigint
  }

/**
 * Has a transaction signed and sent, with the newest block hash; resolves to its signature. If it
 * is unclear whether it was sent, waits until it has landed or no block can include it. Throws
 * TRANSACTION_EXPIRED, TRANSACTION_REPLACED, TRANSACTION_NOT_SENT, ABORTED and the wallet's
 * refusals.
 */
export async function sendSolanaTransaction(sending: Sending): Promise<string> {
  try {
    const { lastValidBlockHeight, ...lifetime } = await readLifetime(sending.node)
    const compiled = sending.compile({ ...lifetime, lastValidBlockHeight })
    if (sending.signal.aborted) throw new LatchkeyError('ABORTED')
    return await sendByWallet({ ...sending, ...compiled, lastBlock: lastValidBlockHeight })
  } catch (cause) {
    if (hasCode(cause, ownCodes)) throw cause
    throw new LatchkeyError('TRANSACTION_NOT_SENT', { cause })
  }
}

/**
 * Prefers a wallet that sends by itself: it may have a faster route, and adds instructions that
 * guard the user.
 */
async function sendByWallet(attempt: Attempt): Promise<string> {
  const { approvedMethods, wallet, from, unsigned } = attempt
  const method = 'solana_signAndSendTransaction'
  if (approvedMethods && !approvedMethods.includes(method)) return signAndSend(attempt)
  try {
    const answer = await wallet(method, { transaction: unsigned, pubkey: from })
    return await checkSent(attempt, (answer as { signature?: unknown } | null)?.signature)
  } catch (cause) {
    if (hasCode(cause, missingCodes)) return signAndSend(attempt)
    if (hasCode(cause, finalCodes)) throw cause
    return waitOut(attempt, { cause, find: () => findSolanaTransaction(attempt) })
  }
}

/**
 * Verifies what a wallet has sent. It may change some parts, for example the fee, but the
 * transaction must still do what was requested.
 */
async function checkSent(attempt: Attempt, answer: unknown): Promise<string> {
  const { from, messageBytes, node } = attempt
  const signature = typeof answer === 'string' ? decodeBase58(answer) : undefined
  if (typeof answer !== 'string' || signature?.length !== 64)
    throw new LatchkeyError('WALLET_ANSWER_INVALID')
  if (await hasValidSignature({ address: from, signature, bytes: messageBytes })) return answer
  const lastBlock = (await readHeight(node)) + lifetimeBlocks
  const find = async () => {
    const isOurs = await isSameTransaction(answer, attempt)
    if (isOurs === false) throw new LatchkeyError('TRANSACTION_REPLACED')
    return isOurs && answer
  }
  return waitOut({ ...attempt, lastBlock }, { cause: undefined, find })
}

/** For a wallet that only signs: our node sends the signed transaction. */
async function signAndSend(attempt: Attempt): Promise<string> {
  const { unsigned, from, wallet, node, signal } = attempt
  const method = 'solana_signTransaction'
  const answer = await wallet(method, { transaction: unsigned, pubkey: from })
  const parameters = { method, address: from, transactions: [unsigned] } as const
  const checked = await checkSolanaResult(parameters, answer)
  const { signature, transaction } = checked as { signature: string; transaction: string }
  if (signal.aborted) throw new LatchkeyError('ABORTED')
  try {
    await submit(node, transaction)
    return signature
  } catch (cause) {
    if (isRefusedByNetwork(cause)) throw cause
    const find = async () => {
      if (await readStatus(node, signature)) return signature
      // Sending the same bytes again cannot cause a second transfer.
      await submit(node, transaction).catch(() => {})
      return undefined
    }
    return waitOut(attempt, { cause, find })
  }
}

const submit = (node: Request, transaction: string) =>
  node('sendTransaction', [transaction, { encoding: 'base64', preflightCommitment: commitment }])

/** Whether the node has run the transaction and rejects it for another reason than its age. */
function isRefusedByNetwork(error: unknown): boolean {
  if (!isError(error, 'RPC_FAILED')) return false
  const { code, message } = (error.cause ?? {}) as { code?: unknown; message?: unknown }
  const mayLand = /blockhash not found|already been processed/i.test(String(message))
  return code === -32002 && !mayLand
}

/** Waits until a transaction that may have been sent is found, or no block can include it. */
async function waitOut(
  { node, signal, sleep, lastBlock }: Attempt,
  { cause, find }: { cause: unknown; find: () => Promise<string | false | undefined> },
): Promise<string> {
  let hasExpired = false
  while (!signal.aborted) {
    try {
      const found = await find()
      if (found) return found
      // This poll began after the last block that could include it.
      if (hasExpired) throw new LatchkeyError('TRANSACTION_EXPIRED', { cause })
      hasExpired = (await readHeight(node)) > lastBlock
    } catch (error) {
      if (hasCode(error, finalCodes)) throw error
      // The node may respond later.
    }
    await sleep(pollMs, signal)
  }
  throw new LatchkeyError('ABORTED', { cause })
}

const hasCode = (error: unknown, codes: readonly ErrorCode[]) =>
  codes.some((code) => isError(error, code))
