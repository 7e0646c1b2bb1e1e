import { LatchkeyError } from '@latchkey/wire'
import { parseTransactionMessage, type SolanaMessage } from '@latchkey/wire/solana'
import { ed25519 } from '@noble/curves/ed25519.js'
import { type Bytes, toBytes } from '../crypto/bytes.ts'
import { formatReview } from './formatReview.ts'
import { isTransaction } from './isTransaction.ts'
import { losesWallet } from './losesWallet.ts'
import { parseOffchainMessage } from './parseOffchainMessage.ts'

/** The account that signs. */
type Signer = { readonly address: string; readonly key: Bytes }

/**
 * Ed25519 (RFC 8032) over a message. Throws INVALID_PARAMS if the bytes could be a transaction, or
 * are an off-chain message for other signers.
 */
export function signSolanaMessage(bytes: Uint8Array, { address, key }: Signer): Bytes {
  if (isTransaction(bytes)) throw refused('it could be a transaction')
  const offchain = parseOffchainMessage(bytes)
  if (offchain && !offchain.signers.includes(address)) throw refused('it is for other signers')
  return toBytes(ed25519.sign(bytes, key))
}

/** The signed part of a transaction, and what was reviewed of it ({@link formatReview}). */
type ReviewedMessage = { readonly bytes: Uint8Array; readonly reviewed: string }

/**
 * Signs the signed parts of transactions with Ed25519 (RFC 8032). Throws INVALID_PARAMS, and signs
 * none of them, unless the bytes of each match exactly what was reviewed, the account has to sign
 * them, and none gives the account away ({@link losesWallet}).
 */
export function signSolanaTransactions(
  transactions: readonly ReviewedMessage[],
  { address, key }: Signer,
): Bytes[] {
  for (const { bytes, reviewed } of transactions) {
    const message = parse(bytes)
    if (formatReview(message) !== reviewed) throw refused('it is not what was reviewed')
    if (!message.keys.slice(0, message.signerCount).includes(address))
      throw refused('the account does not sign it')
    if (message.instructions.some((one) => losesWallet(toCall(message, one), address)))
      throw refused('it gives the whole account away')
  }
  return transactions.map(({ bytes }) => toBytes(ed25519.sign(bytes, key)))
}

/**
 * The instruction with addresses. Accounts of lookup tables stay empty: they never sign, so the
 * wallet is not among them.
 */
const toCall = (
  { keys }: SolanaMessage,
  { program, accounts, data }: SolanaMessage['instructions'][number],
) => ({
  program: keys[program] ?? '',
  accounts: accounts.map((index) => keys[index] ?? ''),
  data,
})

function parse(bytes: Uint8Array): SolanaMessage {
  try {
    return parseTransactionMessage(bytes)
  } catch {
    throw refused('it is not a transaction')
  }
}

const refused = (reason: string) => new LatchkeyError('INVALID_PARAMS', { data: { reason } })
