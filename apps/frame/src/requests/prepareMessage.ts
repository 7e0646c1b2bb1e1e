import { bytesToHex, decodeUtf8, orderMessageParams, sanitizeText } from '@latchkey/wire'
import type { Hex } from 'viem'
import type { Warning } from '../approval/approvalView.ts'
import { approvals } from '../locales/approvals.en.ts'
import { signatures as t } from '../locales/signatures.en.ts'
import { fromHex, utf8 } from '../wallet/crypto/bytes.ts'
import { type ApprovalRequest, type PreparedApproval, placeRows } from './approvalRequest.ts'
import { checkSignIn } from './checkSignIn.ts'
import { assertAccount, invalidParameters } from './params.ts'
import { hasInvisibleCharacters } from './sanitizeName.ts'
import { danger } from './warning.ts'

const maxBytes = 100_000

/** personal_sign (EIP-191): `[message, address]`, with the message in hex or as plain text. */
export function prepareMessage(request: ApprovalRequest): PreparedApproval {
  const { params, accounts, keys } = request
  const [data, address] = orderMessageParams(params, accounts.eip155)
  if (typeof data !== 'string' || data.length > maxBytes * 2) throw invalidParameters('message')
  assertAccount(address, accounts.eip155)
  const isBytes = /^0x([0-9a-f]{2})*$/i.test(data)
  const bytes = isBytes ? fromHex(data) : utf8(data)
  const raw: Hex = `0x${bytesToHex(bytes)}`
  const text = decodeUtf8(bytes)
  return {
    view: describeText(request, { text, raw }),
    approve: async () => (await keys.do('signEvmMessage', { message: raw })).signature,
  }
}

/**
 * The rows, warnings and refusal reasons of a message to sign; `text` is undefined if the bytes are
 * not valid text.
 */
export function describeText(
  request: ApprovalRequest,
  { text, raw }: { text: string | undefined; raw: Hex },
) {
  const { isSignIn, ...signIn } = checkSignIn(request, text ?? '')
  const warnings: Warning[] = []
  if (isHash(text, raw)) warnings.push(danger(t.warn.hash))
  else if (text === undefined) warnings.push(danger(bytesWarning(raw)))
  if (text !== undefined && hasInvisibleCharacters(text)) warnings.push(danger(t.warn.hidden))
  return {
    title: isSignIn ? t.titleSignIn : t.titleMessage,
    action: approvals.approve.actionSign,
    groups: [],
    rows: [{ label: t.message, text: text === undefined ? raw : sanitizeText(text) }],
    place: placeRows(request),
    ...signIn,
    warnings: [...warnings, ...signIn.warnings],
  }
}

// An attacker can search for a hash that is valid text.
const isHash = (text: string | undefined, raw: Hex) =>
  raw.length === 66 || (text !== undefined && /^(0x)?[0-9a-f]{64}$/i.test(text.trim()))

function bytesWarning(raw: Hex): string {
  // A typed transaction, or the RLP list of a legacy transaction.
  return /^0x(0[1-4](f[89a-f])|f[89a-f])/i.test(raw) ? t.warn.transactionBlob : t.warn.notText
}
