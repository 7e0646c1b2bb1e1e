import { bytesToHex, decodeBase58, encodeBase58, LatchkeyError } from '@latchkey/wire'
import { parseTransaction, parseTransactionMessage } from '@latchkey/wire/solana'
import { approvals } from '../../locales/approvals.en.ts'
import { solanaTexts } from '../../locales/solana.en.ts'
import { fromBase64Url, toBase64Url } from '../../wallet/crypto/bytes.ts'
import type { ApprovalRequest, PreparedRequest } from '../approvalRequest.ts'
import { invalidParams } from '../params.ts'
import { decodeText, describeText } from '../prepareMessage.ts'
import { type OffchainMessage, parseOffchainMessage } from './parseOffchainMessage.ts'

const maxLength = 100_000

/** solana_signMessage: `{message, pubkey}`, the message as base58 bytes: text, or an off-chain message. */
export function prepareSolanaMessage(request: ApprovalRequest): PreparedRequest {
  const { params, accounts, keys } = request
  const { message, pubkey } = (params ?? {}) as { message?: unknown; pubkey?: unknown }
  if (typeof message !== 'string' || message.length > maxLength) throw invalidParams('message')
  if (pubkey !== accounts.solana) throw new LatchkeyError('UNAUTHORIZED')
  const bytes = decodeBase58(message)
  if (!bytes) throw invalidParams('message')
  const offchain = parseOffchainMessage(bytes)
  const text = offchain?.text ?? decodeText(bytes)
  const described = describeText(request, { text, raw: `0x${bytesToHex(bytes)}` })
  const reason = isTransaction(bytes)
    ? approvals.block.solanaTransaction
    : offchain && !offchain.signers.includes(accounts.solana)
      ? solanaTexts.block.otherSigners
      : undefined
  return {
    view: {
      ...described,
      rows: [...described.rows, ...(offchain ? envelopeRows(offchain, accounts.solana) : [])],
      ...(reason !== undefined && { blocked: reason }),
    },
    approve: async () => {
      const { signature } = await keys.do('signSolana', { bytes: toBase64Url(bytes) })
      return { signature: encodeBase58(fromBase64Url(signature)) }
    },
  }
}

const envelopeRows = ({ domain, signers }: OffchainMessage, own: string) => [
  ...(domain === undefined ? [] : [{ label: solanaTexts.application, address: domain }]),
  ...signers
    .filter((signer) => signer !== own)
    .map((signer) => ({ label: solanaTexts.otherSigner, address: signer })),
]

/**
 * Whether bytes could be a transaction: a legacy one that parses completely, with its signatures or without; or
 * anything of a later version, whose first byte has the highest bit set, unless it is text or an off-chain message.
 */
export function isTransaction(bytes: Uint8Array): boolean {
  if ((bytes[0] ?? 0) >= 0x80)
    return decodeText(bytes) === undefined && parseOffchainMessage(bytes) === undefined
  return parses(parseTransactionMessage, bytes) || parses(parseTransaction, bytes)
}

function parses(parse: (bytes: Uint8Array) => unknown, bytes: Uint8Array): boolean {
  try {
    parse(bytes)
    return true
  } catch {
    return false
  }
}
