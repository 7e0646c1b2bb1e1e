import { isReference, type Namespace } from '../caip/caip.ts'
import { canParseUrl } from '../olderBrowsers.ts'
import type { SiwxField, SiwxMessage } from './siwxMessage.ts'

/** The longest message that is read, in UTF-16 units. */
export const maxSiwxMessage = 8_000
const maxResources = 50

/** Whether a text cannot be that of a sign-in message, whatever its lines say. */
export const hasTextFault = (text: string): boolean =>
  text.length > maxSiwxMessage || hidden.test(text)

// Controls, direction marks and what breaks lines elsewhere: what a person sees is then all that
// there is.
const hidden = /(?!\n|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{DI}\u2800]/u

/**
 * How the lines of a message begin, in their order: those that it must have, and those that it may
 * have.
 */
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
  const { domain, accountAddress, statement, uri, version, nonce } = message
  const { issuedAt, expirationTime, notBefore, requestId, resources } = message
  const isGood = {
    domain: fits(domain, domainPattern) && canParseUrl(`https://${domain}`),
    // `isSiwxAddress` checks the form of the namespace, which pages know from their wallet.
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

/** RFC 3339, on a day that exists. */
function isTime(text: string): boolean {
  const [, day] = timePattern.exec(text) ?? []
  if (day === undefined || Number.isNaN(Date.parse(text))) return false
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
