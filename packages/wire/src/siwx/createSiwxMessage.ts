import { checksumAddress } from '../encoding/checksumAddress.ts'
import { hasChecksumFault } from '../encoding/hasChecksumFault.ts'
import type { SiwxMessage } from './siwxMessage.ts'
import { toFieldError, writeSiwxMessage } from './writeSiwxMessage.ts'

/**
 * The text that the wallet shows and signs, with an EVM address as EIP-55 writes it. Throws INVALID_PARAMS, which names the first
 * field that is missing or not valid: `parseSiwxMessage` reads the same fields from what is returned.
 */
export function createSiwxMessage(fields: SiwxMessage): string {
  const text = writeSiwxMessage(fields)
  const { chainId, accountAddress } = fields
  if (!chainId.startsWith('eip155:')) return text
  if (hasChecksumFault(accountAddress)) throw toFieldError('accountAddress')
  return text.replace(`\n${accountAddress}\n`, `\n${checksumAddress(accountAddress)}\n`)
}
