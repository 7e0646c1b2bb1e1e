import { bytesToHex, decodeBase58, decodeUtf8, encodeBase58, LatchkeyError } from '@latchkey/wire'
import { signatures } from '../../locales/signatures.en.ts'
import { solanaTexts } from '../../locales/solana.en.ts'
import { fromBase64Url, toBase64Url } from '../../wallet/crypto/bytes.ts'
import { isTransaction } from '../../wallet/sign/isTransaction.ts'
import {
  type OffchainMessage,
  parseOffchainMessage,
} from '../../wallet/sign/parseOffchainMessage.ts'
import type { ApprovalRequest, PreparedApproval } from '../approvalRequest.ts'
import { invalidParameters } from '../params.ts'
import { describeText } from '../prepareMessage.ts'

const maxLength = 100_000

/**
 * solana_signMessage: `{message, pubkey}`, with the message in base58: plain text, or an off-chain
 * message.
 */
export function prepareSolanaMessage(request: ApprovalRequest): PreparedApproval {
  const { params, accounts, keys } = request
  const { message, pubkey } = (params ?? {}) as { message?: unknown; pubkey?: unknown }
  if (typeof message !== 'string' || message.length > maxLength) throw invalidParameters('message')
  if (pubkey !== accounts.solana) throw new LatchkeyError('UNAUTHORIZED')
  const bytes = decodeBase58(message)
  if (!bytes) throw invalidParameters('message')
  const offchain = parseOffchainMessage(bytes)
  const text = offchain?.text ?? decodeUtf8(bytes)
  const described = describeText(request, { text, raw: `0x${bytesToHex(bytes)}` })
  const reason = isTransaction(bytes)
    ? signatures.block.solanaTransaction
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
      const { signature } = await keys.do('signSolanaMessage', { message: toBase64Url(bytes) })
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
