import type { SiwxField, SiwxMessage } from './siwxMessage.ts'

/** The values that a server expects in a sign-in. */
export type ExpectedSiwx = {
  /** Host of the page, with its port unless it is the default port. */
  readonly domain: string
  /** The nonce that this server issued. The caller has to check whether it was used before. */
  readonly nonce: string
  /** The exact URI. Default: any URI on the domain. */
  readonly uri?: string
  readonly accountAddress?: string
  /** The accepted networks as CAIP-2 ids. Default: all. */
  readonly chainIds?: readonly string[]
  /** Milliseconds since 1970. Default: the current time. */
  readonly nowMs?: number
}

/** How far the clock of the message's author may be ahead, and how old a message may be. */
const clockSkewMs = 60_000
const maxAgeMs = 600_000

/** The first field that does not match, or undefined. Does not check the signature. */
export function checkSiwxMessage(
  message: SiwxMessage,
  expected: ExpectedSiwx,
): SiwxField | undefined {
  const { nowMs = Date.now(), chainIds } = expected
  if (message.domain !== expected.domain) return 'domain'
  if (expected.uri === undefined ? !isUriOfDomain(message) : message.uri !== expected.uri)
    return 'uri'
  if (chainIds?.includes(message.chainId) === false) return 'chainId'
  if (!isAccount(message, expected.accountAddress)) return 'accountAddress'
  if (message.nonce !== expected.nonce) return 'nonce'
  const issued = Date.parse(message.issuedAt)
  if (issued > nowMs + clockSkewMs || issued < nowMs - maxAgeMs) return 'issuedAt'
  const { expirationTime, notBefore } = message
  if (expirationTime !== undefined && Date.parse(expirationTime) <= nowMs) return 'expirationTime'
  if (notBefore !== undefined && Date.parse(notBefore) > nowMs) return 'notBefore'
  return undefined
}

const isUriOfDomain = ({ uri, domain }: SiwxMessage) => {
  const { protocol, host } = new URL(uri)
  return /^https?:$/.test(protocol) && host === new URL(`${protocol}//${domain}`).host
}

const isAccount = ({ accountAddress, chainId }: SiwxMessage, expected = accountAddress) =>
  chainId.startsWith('eip155:')
    ? accountAddress.toLowerCase() === expected.toLowerCase()
    : accountAddress === expected
