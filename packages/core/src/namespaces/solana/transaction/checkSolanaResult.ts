import {
  decodeBase58,
  decodeBase64,
  encodeBase58,
  encodeBase64,
  LatchkeyError,
} from '@latchkey/wire'
import { encodeSolanaTransaction } from '@latchkey/wire/solana'
import { hasValidSignature } from '../isSignedBy.ts'
import { isAllowedModification } from './isAllowedModification.ts'
import { type ParsedTransaction, parseSignedTransaction } from './parseTransaction.ts'

/** A parsed signing request. `address`: the account that signs. */
export type SolanaRequest = { address: string } & (
  | { method: 'solana_signMessage'; message: string }
  | {
      method:
        | 'solana_signTransaction'
        | 'solana_signAllTransactions'
        | 'solana_signAndSendTransaction'
      /** Base64. */
      transactions: readonly string[]
      sendOptions?: object
    }
)

/**
 * Parses a request with WalletConnect's methods. Without a `pubkey`, the first of `addresses` that
 * has to sign is used. Throws UNSUPPORTED_METHOD and INVALID_PARAMS.
 */
export function parseSolanaRequest(
  { method, params }: { method: string; params: unknown },
  addresses: readonly string[],
): SolanaRequest {
  const { message, transaction, transactions, pubkey, sendOptions } = (params ?? {}) as Record<
    string,
    unknown
  >
  if (method === 'solana_signMessage') {
    if (typeof message !== 'string' || !decodeBase58(message)) throw invalid('message')
    return { method, message, address: toAddress(pubkey ?? addresses[0]) }
  }
  const isAll = method === 'solana_signAllTransactions'
  if (!isAll && method !== 'solana_signTransaction' && method !== 'solana_signAndSendTransaction')
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
  const list: unknown[] = isAll && Array.isArray(transactions) ? transactions : [transaction]
  if (list.length === 0) throw invalid('transactions')
  const parsed = list.map((entry) => {
    const found = typeof entry === 'string' ? readTransaction(entry) : undefined
    if (!found) throw invalid('transaction')
    return found
  })
  const signs = (address: unknown) =>
    parsed.every(({ signers }) => signers.includes(String(address)))
  const address = toAddress(pubkey ?? addresses.find(signs))
  if (!signs(address)) throw invalid('transaction')
  const hasOptions = typeof sendOptions === 'object' && sendOptions !== null
  return { method, transactions: list as string[], address, ...(hasOptions && { sendOptions }) }
}

const invalid = (reason: string) => new LatchkeyError('INVALID_PARAMS', { data: { reason } })

function toAddress(value: unknown): string {
  if (typeof value === 'string' && decodeBase58(value)?.length === 32) return value
  throw invalid('pubkey')
}

function readTransaction(text: string): ParsedTransaction | undefined {
  const bytes = decodeBase64(text)
  return bytes && parseSignedTransaction(bytes)
}

/**
 * Verifies a wallet's result and returns it in WalletConnect's format: it must be the account's own
 * signature of exactly the requested message or transaction. Throws WALLET_ANSWER_INVALID and
 * WALLET_SIGNED_OTHER.
 */
export async function checkSolanaResult(request: SolanaRequest, answer: unknown): Promise<unknown> {
  const { address, method } = request
  const { signature, transaction, transactions } = readFields(answer)
  if (method === 'solana_signMessage') {
    const bytes = parseSignature(signature)
    const message = decodeBase58(request.message) ?? new Uint8Array()
    await assertSigned({ address, message, signature: bytes })
    return { signature: encodeBase58(bytes) }
  }
  // The transaction was already sent, so an error could make the user send it again. The network
  // reports its outcome.
  if (method === 'solana_signAndSendTransaction')
    return { signature: encodeBase58(parseSignature(signature)) }
  const [first = '', ...rest] = request.transactions
  if (method === 'solana_signTransaction') {
    const signed = transaction ?? (await insertSignature(first, { address, signature }))
    return checkTransaction({ address, requested: first, signed })
  }
  if (!Array.isArray(transactions) || transactions.length !== rest.length + 1)
    throw new LatchkeyError('WALLET_ANSWER_INVALID')
  const checked = await Promise.all(
    request.transactions.map((requested, index) =>
      checkTransaction({ address, requested, signed: transactions[index] }),
    ),
  )
  return { transactions: checked.map((each) => each.transaction) }
}

function readFields(answer: unknown): Record<string, unknown> {
  try {
    const { signature, transaction, transactions } = answer as Record<string, unknown>
    return { signature, transaction, transactions }
  } catch (cause) {
    throw new LatchkeyError('WALLET_ANSWER_INVALID', { cause })
  }
}

function parseSignature(value: unknown): Uint8Array<ArrayBuffer> {
  const bytes = typeof value === 'string' ? decodeBase58(value) : undefined
  if (bytes?.length !== 64) throw new LatchkeyError('WALLET_ANSWER_INVALID')
  return bytes
}

/** Some wallets return only the signature. */
async function insertSignature(
  requested: string,
  { address, signature }: { address: string; signature: unknown },
): Promise<string> {
  const bytes = parseSignature(signature)
  const transaction = readTransaction(requested)
  const index = transaction?.signers.indexOf(address) ?? -1
  if (!transaction || index < 0) throw new LatchkeyError('WALLET_ANSWER_INVALID')
  const signatures = transaction.signatures.map((one, at) => (at === index ? bytes : one))
  return encodeBase64(encodeSolanaTransaction(transaction, signatures))
}

async function checkTransaction(parameters: {
  address: string
  requested: string
  signed: unknown
}): Promise<{ signature: string; transaction: string }> {
  const { address, requested, signed } = parameters
  const before = readTransaction(requested)
  const after = typeof signed === 'string' ? readTransaction(signed) : undefined
  if (!before || !after) throw new LatchkeyError('WALLET_ANSWER_INVALID')
  const signature = after.signatures[after.signers.indexOf(address)]
  if (!signature || !isAllowedModification(before, after))
    throw new LatchkeyError('WALLET_SIGNED_OTHER')
  await assertSigned({ address, message: after.message, signature })
  return { signature: encodeBase58(signature), transaction: signed as string }
}

async function assertSigned(parameters: {
  address: string
  message: Uint8Array
  signature: Uint8Array
}): Promise<void> {
  const { address, message, signature } = parameters
  if (!(await hasValidSignature({ address, signature, bytes: message })))
    throw new LatchkeyError('WALLET_SIGNED_OTHER')
}
