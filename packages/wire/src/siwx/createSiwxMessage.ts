import { isChainId } from '../caip/caip.ts'
import { parseChainId } from '../caip/parseCaip.ts'
import { checksumAddress } from '../encoding/checksumAddress.ts'
import { LatchkeyError } from '../errors/errors.ts'
import {
  findFieldFault,
  findForeignCharacter,
  hasTextFault,
  optionalLabels,
  requiredLabels,
} from './siwxFields.ts'
import { accountNames, type SiwxField, type SiwxMessage } from './siwxMessage.ts'

/**
 * The text that the wallet shows and signs, with an EVM address as EIP-55 writes it. Throws INVALID_PARAMS, which names the first
 * field that is missing or not valid: `parseSiwxMessage` reads the same fields from what is returned.
 */
export function createSiwxMessage(fields: SiwxMessage): string {
  const { chainId, statement, resources } = fields
  if (typeof chainId !== 'string' || !isChainId(chainId)) throw toError('chainId')
  const { namespace, reference } = parseChainId(chainId)
  const fault = findFieldFault(fields, { namespace, reference })
  if (fault) throw toError(fault)
  const foreign = findForeignCharacter(fields)
  if (foreign) throw toError(foreign, ': only the ASCII characters of EIP-4361 are allowed')
  const values: Readonly<Record<string, unknown>> = { ...fields, reference }
  const { accountAddress } = fields
  const text = [
    `${fields.domain} wants you to sign in with your ${accountNames[namespace]} account:`,
    namespace === 'eip155' ? checksumAddress(accountAddress) : accountAddress,
    '',
    ...(statement === undefined ? [] : [statement]),
    '',
    ...Object.entries({ ...requiredLabels, ...optionalLabels }).flatMap(([field, label]) =>
      field in optionalLabels && values[field] === undefined ? [] : `${label}${values[field]}`,
    ),
    ...(resources === undefined ? [] : ['Resources:', ...resources.map((uri) => `- ${uri}`)]),
  ].join('\n')
  if (hasTextFault(text)) throw toError('text')
  return text
}

const toError = (field: SiwxField, hint = '') =>
  new LatchkeyError('INVALID_PARAMS', { data: { reason: `${field} of a sign-in message${hint}` } })
