import { isReference, type Namespace } from '../caip/caip.ts'
import { decodeBase58 } from '../encoding/base58.ts'
import type { SiwxField, SiwxMessage } from './siwxMessage.ts'

/** The longest message that is read, in UTF-16 units. */
export const maxSiwxMessage = 8_000
const maxResources = 50

/** Whether a text cannot be that of a sign-in message, whatever its lines say. */
export const hasTextFault = (text: string): boolean =>
  text.length > maxSiwxMessage || hidden.test(text)

// Controls, direction marks and what breaks lines elsewhere: what a person sees is then all that there is.
const hidden = /(?!\n|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{DI}\u2800]/u

/** How the lines of a message begin, in their order: those that it must have, and those that it may have. */
export const requiredLabels = {
  uri: 'URI: ',
  version: 'Version: ',
  reference: 'Chain ID: ',
  nonce: 'Nonce: ',
  issuedAt: 'Issued At: ',
} as const
export const optionalLabels = {
  expirationTime: 'Expiration Time: ',
  notBefore: 'Not Before: ',
  requestId: 'Request ID: ',
} as const

/** The first field that is not valid. Each valid one fits into its line, or its lines. */
export function findFieldFault(
  message: SiwxMessage,
  { namespace, reference }: { readonly namespace: Namespace; readonly reference: string },
): SiwxField | undefined {
  const { domain, accountAddress, statement, uri, nonce } = message
  const { issuedAt, expirationTime, notBefore, requestId, resources } = message
  if (!isDomain(domain)) return 'domain'
  if (!fits(accountAddress, /^\w{14,90}$/) || !isAddress[namespace](accountAddress))
    return 'accountAddress'
  if (statement !== undefined && !fits(statement, /^.*\S.*$/)) return 'statement'
  if (!isUri(uri)) return 'uri'
  if (message.version !== '1') return 'version'
  if (!isReference(namespace, reference)) return 'chainId'
  if (!fits(nonce, /^[a-z0-9]{8,128}$/i)) return 'nonce'
  if (!isTime(issuedAt)) return 'issuedAt'
  if (expirationTime !== undefined && !isTime(expirationTime)) return 'expirationTime'
  if (notBefore !== undefined && !isTime(notBefore)) return 'notBefore'
  if (requestId !== undefined && !fits(requestId, /^[-\w.~!$&'()*+,;=:@%]*$/)) return 'requestId'
  return areResources(resources) ? undefined : 'resources'
}

// From pages without types, a number or null would become a text.
const fits = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value)

const areResources = (list: unknown) =>
  list === undefined || (Array.isArray(list) && list.length <= maxResources && list.every(isUri))

const isDomain = (text: string) =>
  fits(text, /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i) &&
  URL.canParse(`https://${text}`)

const isUri = (text: string) => fits(text, /^[a-z][a-z0-9+.-]*:\S+$/i) && URL.canParse(text)

const timePattern = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** RFC 3339, on a day that exists. */
function isTime(text: string): boolean {
  const [, day] = timePattern.exec(text) ?? []
  if (day === undefined || Number.isNaN(Date.parse(text))) return false
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

/** Whether a text has the form of an address; whether it is one, its signature shows. */
const isAddress: Readonly<Record<Namespace, (text: string) => boolean>> = {
  eip155: (text) => /^0x[0-9a-f]{40}$/i.test(text),
  solana: (text) => text.length <= 44 && decodeBase58(text)?.length === 32,
  bip122: (text) => !text.includes('_'),
  polkadot: (text) => text.length <= 50 && /^[1-9a-z]{46,50}$/i.test(text),
}
