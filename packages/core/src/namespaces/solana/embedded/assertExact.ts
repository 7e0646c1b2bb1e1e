import { decodeBase58, decodeBase64, LatchkeyError } from '@latchkey/wire'
import { hasValidSignature } from '../isSignedBy.ts'
import type { SolanaRequest } from '../transaction/checkSolanaResult.ts'
import { type ParsedTransaction, parseSignedTransaction } from '../transaction/parseTransaction.ts'

type TransactionParameters = Exclude<SolanaRequest, { method: 'solana_signMessage' }>

/**
 * Throws WALLET_SIGNED_OTHER unless the frame's result covers exactly the requested transactions.
 * Other wallets may add to a transaction, but the frame never does, so only the account's own
 * signature may differ. A sent transaction is identified by its first signature: the account's own,
 * or a signature that was already in the transaction.
 */
export async function assertExact(question: TransactionParameters, answer: unknown): Promise<void> {
  const { method, address } = question
  const { signature, transaction, transactions } = (answer ?? {}) as Record<string, unknown>
  const requested = question.transactions.map(parse)
  if (method === 'solana_signAndSendTransaction')
    return assertNamed(requested[0], { address, id: signature })
  const signed = method === 'solana_signTransaction' ? [transaction] : transactions
  if (!Array.isArray(signed) || signed.length !== requested.length)
    throw new LatchkeyError('WALLET_ANSWER_INVALID')
  const isExact = requested.every((one, index) =>
    isSameBut(one, { other: parse(signed[index]), address }),
  )
  if (!isExact) throw new LatchkeyError('WALLET_SIGNED_OTHER')
}

async function assertNamed(
  requested: ParsedTransaction | undefined,
  { address, id }: { address: string; id: unknown },
): Promise<void> {
  const bytes = typeof id === 'string' ? decodeBase58(id) : undefined
  if (!requested || bytes?.length !== 64) throw new LatchkeyError('WALLET_ANSWER_INVALID')
  const isNamed =
    requested.signers[0] === address
      ? await hasValidSignature({ address, signature: bytes, bytes: requested.message })
      : isSame(requested.signatures[0], bytes)
  if (!isNamed) throw new LatchkeyError('WALLET_SIGNED_OTHER')
}

function parse(text: unknown): ParsedTransaction | undefined {
  const bytes = typeof text === 'string' ? decodeBase64(text) : undefined
  return bytes && parseSignedTransaction(bytes)
}

/** Whether two transactions differ only in the account's signature. */
function isSameBut(
  one: ParsedTransaction | undefined,
  { other, address }: { other: ParsedTransaction | undefined; address: string },
): boolean {
  if (!one || !other || !isSame(one.message, other.message)) return false
  const own = one.signers.indexOf(address)
  return one.signatures.every((bytes, at) => at === own || isSame(bytes, other.signatures[at]))
}

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined) =>
  one?.length === other?.length && one?.every((byte, index) => byte === other?.[index]) === true
