import { isChainId } from '../caip/caip.ts'
import { parseChainId } from '../caip/parseCaip.ts'
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
 * The text that the wallet shows and signs, with the address as it is given. For pages, which know the address from their wallet: unlike
 * `createSiwxMessage` it loads no hash function. Throws INVALID_PARAMS, which names the first field that is missing or not valid.
 */
export function writeSiwxMessage(fields: SiwxMessage): string {
  const { accountAddress, chainId, statement, resources } = fields
  if (typeof chainId !== 'string' || !isChainId(chainId)) throw toFieldError('chainId')
  const { namespace, reference } = parseChainId(chainId)
  const fault = findFieldFault(fields, { namespace, reference })
  if (fault) throw toFieldError(fault)
  const foreign = findForeignCharacter(fields)
  if (foreign) throw toFieldError(foreign, ': only the ASCII characters of EIP-4361 are allowed')
  const values: Readonly<Record<string, unknown>> = { ...fields, reference }
  const text = [
    `${fields.domain} wants you to sign in with your ${accountNames[namespace]} account:`,
    accountAddress,
    '',
    ...(statement === undefined ? [] : [statement]),
    '',
    ...Object.entries({ ...requiredLabels, ...optionalLabels }).flatMap(([field, label]) =>
      field in optionalLabels && values[field] === undefined ? [] : `${label}${values[field]}`,
    ),
    ...(resources === undefined ? [] : ['Resources:', ...resources.map((uri) => `- ${uri}`)]),
  ].join('\n')
  if (hasTextFault(text)) throw toFieldError('text')
  return text
}

/** The error for a field. `hint`: what is allowed. */
export const toFieldError = (field: SiwxField, hint = '') =>
  new LatchkeyError('INVALID_PARAMS', { data: { reason: `${field} of a sign-in message${hint}` } })
