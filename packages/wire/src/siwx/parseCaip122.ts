import { namespaces } from '../caip/caip.ts'
import { isSiwxAddress } from './isSiwxAddress.ts'
import { findFieldFault, hasTextFault, optionalLabels, requiredLabels } from './siwxFields.ts'
import { accountNames, type SiwxField, type SiwxMessage } from './siwxMessage.ts'

/**
 * Reads a sign-in message, strictly: every line in its place, and no other lines. Otherwise returns
 * the first invalid field, or `text` if the lines do not form a sign-in message.
 */
export function parseCaip122(
  text: string,
): { readonly message: SiwxMessage } | { readonly fault: SiwxField } {
  if (hasTextFault(text)) return { fault: 'text' }
  const [header = '', accountAddress = '', blank, ...rest] = text.split('\n')
  const [, domain = '', name] = headerPattern.exec(header) ?? []
  const namespace = namespaces.find((one) => accountNames[one] === name)
  if (namespace === undefined || blank !== '') return { fault: 'text' }
  const statement = rest[0] === '' ? undefined : rest.shift()
  if (rest.shift() !== '') return { fault: 'text' }
  const lines = readLines(rest)
  if (lines === undefined) return { fault: 'text' }
  const { reference, resources, ...fields } = lines
  const message = {
    domain,
    accountAddress,
    chainId: `${namespace}:${reference}`,
    ...(statement !== undefined && { statement }),
    ...fields,
    ...(resources !== undefined && { resources }),
  } as SiwxMessage
  const fault = findFieldFault(message, { namespace, reference })
  if (fault === undefined && !isSiwxAddress(namespace, accountAddress))
    return { fault: 'accountAddress' }
  return fault === undefined ? { message } : { fault }
}

const headerPattern = /^(\S+) wants you to sign in with your ([A-Z][a-z]+) account:$/

type Lines = Record<keyof typeof requiredLabels, string> &
  Partial<Record<keyof typeof optionalLabels, string>> & { resources?: readonly string[] }

function readLines(lines: readonly string[]): Lines | undefined {
  const read: Record<string, string> = {}
  let at = 0
  for (const [field, label] of Object.entries({ ...requiredLabels, ...optionalLabels })) {
    const line = lines[at]
    if (line?.startsWith(label)) {
      read[field] = line.slice(label.length)
      at++
    } else if (field in requiredLabels) return undefined
  }
  const fields = read as Lines
  if (at === lines.length) return fields
  if (lines[at] !== 'Resources:') return undefined
  const items = lines.slice(at + 1)
  if (items.some((item) => !item.startsWith('- '))) return undefined
  return { ...fields, resources: items.map((item) => item.slice(2)) }
}
