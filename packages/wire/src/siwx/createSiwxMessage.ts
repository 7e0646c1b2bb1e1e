import { parseChainId } from '../caip/parseCaip.ts'
import { LatchkeyError } from '../errors/errors.ts'
import { findFieldFault, hasTextFault, optionalLabels, requiredLabels } from './siwxFields.ts'
import { accountNames, type SiwxMessage } from './siwxMessage.ts'

/**
 * The text that the wallet shows and signs. Throws INVALID_PARAMS, which names the field that is not valid: what is returned
 * is always understood by `parseSiwxMessage`, with the same fields.
 */
export function createSiwxMessage(fields: SiwxMessage): string {
  const { namespace, reference } = parseChainId(fields.chainId)
  const { statement, resources } = fields
  const values: Readonly<Record<string, unknown>> = { ...fields, reference }
  const text = [
    `${fields.domain} wants you to sign in with your ${accountNames[namespace]} account:`,
    fields.accountAddress,
    '',
    ...(statement === undefined ? [] : [statement]),
    '',
    ...Object.entries({ ...requiredLabels, ...optionalLabels }).flatMap(([field, label]) =>
      field in optionalLabels && values[field] === undefined ? [] : `${label}${values[field]}`,
    ),
    ...(resources === undefined ? [] : ['Resources:', ...resources.map((uri) => `- ${uri}`)]),
  ].join('\n')
  // As Solana's wallets write it, a line with a URI stands where no statement is.
  const isStatement =
    statement === undefined || (typeof statement === 'string' && !statement.startsWith('URI: '))
  const fault = isStatement
    ? (findFieldFault(fields, { namespace, reference }) ??
      (hasTextFault(text) ? 'text' : undefined))
    : 'statement'
  if (fault)
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason: `${fault} of a sign-in message` } })
  return text
}
