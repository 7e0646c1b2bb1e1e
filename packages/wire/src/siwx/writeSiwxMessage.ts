import { isChainId, type Namespace } from '../caip/caip.ts'
import { LatchkeyError } from '../errors/errors.ts'
import { findFieldFault, hasTextFault, optionalLabels, requiredLabels } from './siwxFields.ts'
import { accountNames, type SiwxMessage } from './siwxMessage.ts'

/**
 * Makes the message that the wallet shows and signs, with the address as given. For pages, which
 * have the address from their wallet: unlike `createSiwxMessage`, this function loads no hash
 * function. Throws INVALID_PARAMS with the name of the first missing or invalid field.
 */
export function writeSiwxMessage(fields: SiwxMessage): string {
  const { accountAddress, chainId, statement, resources } = fields
  if (!isChainId(String(chainId))) throw toFieldError('chainId')
  const [namespace, reference] = chainId.split(':') as [Namespace, string]
  const fault = findFieldFault(fields, { namespace, reference })
  if (fault) throw toFieldError(fault)
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

/** The error for a field of a sign-in message. */
export const toFieldError = (field: string) =>
  new LatchkeyError('INVALID_PARAMS', { data: { reason: `${field} of a sign-in message` } })
