import { bytesToHex, decodeBase58, encodeBase58, LatchkeyError } from '@latchkey/wire'
import { approvals } from '../locales/approvals.en.ts'
import { fromBase64Url, toBase64Url } from '../wallet/crypto/bytes.ts'
import type { ApprovalRequest, PreparedRequest } from './approvalRequest.ts'
import { invalidParams } from './params.ts'
import { decodeText, describeText } from './prepareMessage.ts'

const maxLength = 100_000

/** solana_signMessage: `{message, pubkey}`, the message as base58 bytes. Throws UNSUPPORTED_METHOD for transactions. */
export function prepareSolana(request: ApprovalRequest): PreparedRequest {
  const { method, params, accounts, keys } = request
  // Signing what nobody can read is worse than refusing: transactions need a parser first.
  if (method !== 'solana_signMessage')
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
  const { message, pubkey } = (params ?? {}) as { message?: unknown; pubkey?: unknown }
  if (typeof message !== 'string' || message.length > maxLength) throw invalidParams('message')
  if (pubkey !== accounts.solana) throw new LatchkeyError('UNAUTHORIZED')
  const bytes = decodeBase58(message)
  if (!bytes) throw invalidParams('message')
  const text = decodeText(bytes)
  const hex = `0x${bytesToHex(bytes)}` as const
  const described = describeText(request, { text, raw: hex })
  return {
    view: {
      ...described,
      ...(isTransaction(bytes) && { blocked: approvals.block.solanaTransaction }),
    },
    approve: async () => {
      const { signature } = await keys.do('signSolana', { bytes: toBase64Url(bytes) })
      return { signature: encodeBase58(fromBase64Url(signature)) }
    },
  }
}

/**
 * Whether bytes could be a transaction's message (legacy or any version), alone or after its signatures: a header
 * whose counts fit the list of keys in the bytes. In doubt, the answer is yes.
 */
export function isTransaction(bytes: Uint8Array): boolean {
  const [first = 0] = bytes
  return isMessage(bytes) || (first > 0 && first < 20 && isMessage(bytes.subarray(1 + first * 64)))
}

function isMessage(bytes: Uint8Array): boolean {
  const rest = (bytes[0] ?? 0) >= 0x80 ? bytes.subarray(1) : bytes
  const [signers = 0, readonlySigned = 0, readonlyUnsigned = 0, keys = 0] = rest
  if (signers === 0 || keys < signers || keys >= 0x80) return false
  if (readonlySigned >= signers || readonlyUnsigned > keys - signers) return false
  // Keys, blockhash and number of instructions.
  return rest.length >= 4 + keys * 32 + 32 + 1
}
