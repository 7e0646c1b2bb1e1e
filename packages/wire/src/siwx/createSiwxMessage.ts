import { parseChainId } from '../caip/parseCaip.ts'
import { checksumAddress } from '../encoding/checksumAddress.ts'
import { isSiwxAddress } from './isSiwxAddress.ts'
import type { SiwxField, SiwxMessage } from './siwxMessage.ts'
import { toFieldError, writeSiwxMessage } from './writeSiwxMessage.ts'

/**
 * Makes the message that the wallet shows and signs, with the EIP-55 checksum in an EVM address.
 * Throws INVALID_PARAMS with the name of the first field that is missing, invalid, or has a
 * character that EIP-4361 does not allow. `parseSiwxMessage` reads the same fields back.
 */
export function createSiwxMessage(fields: SiwxMessage): string {
  const text = writeSiwxMessage(fields)
  const foreign = findForeignCharacter(fields)
  if (foreign) throw toFieldError(foreign)
  const { chainId, accountAddress } = fields
  const { namespace } = parseChainId(chainId)
  if (!isSiwxAddress(namespace, accountAddress)) throw toFieldError('accountAddress')
  if (namespace !== 'eip155') return text
  return text.replace(`\n${accountAddress}\n`, `\n${checksumAddress(accountAddress)}\n`)
}

/**
 * The first field with a character that EIP-4361 does not allow, because third-party verifiers
 * refuse it.
 */
function findForeignCharacter({
  statement = '',
  uri,
  resources = [],
}: SiwxMessage): SiwxField | undefined {
  if (!/^[\w.~:/?#[\]@!$&'()*+,;= -]*$/.test(statement)) return 'statement'
  const isForeign = (text: string) => !/^[\w.~:/?#[\]@!$&'()*+,;=%-]*$/.test(text)
  if (isForeign(uri)) return 'uri'
  return resources.some(isForeign) ? 'resources' : undefined
}
