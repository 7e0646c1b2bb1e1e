import { isReference, type Namespace } from '../caip/caip.ts'
import { canParseUrl } from '../olderBrowsers.ts'
import type { SiwxField, SiwxMessage } from './siwxMessage.ts'

/** Maximum length of a message, in UTF-16 units. */
export const maxSiwxMessage = 8_000
const maxResources = 50

/**
 * Whether a string can never be a sign-in message, because it is too long or has hidden characters.
 */
export const hasTextFault = (text: string): boolean =>
  text.length > maxSiwxMessage || hidden.test(text)

// Controls, direction marks and other line breaks. Without them, the user sees the whole message.
const hidden = /(?!\n|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{DI}\u2800]/u

/** The labels of a message's lines, in order: required lines, then optional lines. */
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

/** The first invalid field. Each valid field fits into its line or lines. */
export function findFieldFault(
  message: SiwxMessage,
  { namespace, reference }: { readonly namespace: Namespace; readonly reference: string },
): SiwxField | undefined {
  const { domain, accountAddress, statement, uri, version, nonce } = message
  const { issuedAt, expirationTime, notBefore, requestId, resources } = message
  const isGood = {
    domain: fits(domain, domainPattern) && canParseUrl(`https://${domain}`),
    // `isSiwxAddress` checks the form of the namespace; pages get it from their wallet.
    accountAddress: fits(accountAddress, /^\w{14,90}$/),
    statement: statement === undefined || fits(statement, /^.*\S.*$/),
    uri: isUri(uri),
    version: version === '1',
    chainId: isReference(namespace, reference),
    nonce: fits(nonce, /^[a-z0-9]{8,128}$/i),
    issuedAt: isTime(issuedAt),
    expirationTime: expirationTime === undefined || isTime(expirationTime),
    notBefore: notBefore === undefined || isTime(notBefore),
    requestId: requestId === undefined || fits(requestId, /^[-\w.~!$&'()*+,;=:@%]*$/),
    resources:
      resources === undefined ||
      (Array.isArray(resources) && resources.length <= maxResources && resources.every(isUri)),
  }
  return (Object.keys(isGood) as (keyof typeof isGood)[]).find((field) => !isGood[field])
}

// Pages without types may pass a number or null, which a template would turn into a string.
const fits = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value)

const domainPattern = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

const isUri = (text: string) => fits(text, /^[a-z][a-z0-9+.-]*:\S+$/i) && canParseUrl(text)

const timePattern = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** Whether a string is an RFC 3339 time on an existing day. */
function isTime(text: string): boolean {
  const [, day] = timePattern.exec(text) ?? []
  if (day === undefined || Number.isNaN(Date.parse(text))) return false
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
