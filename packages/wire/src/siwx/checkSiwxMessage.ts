import type { SiwxField, SiwxMessage } from './siwxMessage.ts'

/** What a server knows of the sign-in that it waits for. */
export type ExpectedSiwx = {
  /** Host of the page, with its port if it has one of its own. */
  readonly domain: string
  /** The nonce that this server gave out. Whether it was used before is for the caller to know. */
  readonly nonce: string
  /** The exact URI; unless set, any on the domain. */
  readonly uri?: string
  readonly accountAddress?: string
  /** The networks that are accepted, as CAIP-2 ids; all unless set. */
  readonly chainIds?: readonly string[]
  /** Milliseconds since 1970; the clock unless set. */
  readonly nowMs?: number
}

/** How far the clock of whoever made the message may be ahead, and how old a message may be. */
const clockSkewMs = 60_000
const maxAgeMs = 600_000

/** The first field that is not as expected, or undefined. Nothing is said of the signature. */
export function checkSiwxMessage(
  message: SiwxMessage,
  expected: ExpectedSiwx,
): SiwxField | undefined {
  const { nowMs = Date.now(), chainIds } = expected
  if (message.domain !== expected.domain) return 'domain'
  if (expected.uri === undefined ? !isOn(message) : message.uri !== expected.uri) return 'uri'
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

const isOn = ({ uri, domain }: SiwxMessage) => {
  const { protocol, host } = new URL(uri)
  return /^https?:$/.test(protocol) && host === new URL(`${protocol}//${domain}`).host
}

const isAccount = ({ accountAddress, chainId }: SiwxMessage, expected = accountAddress) =>
  chainId.startsWith('eip155:')
    ? accountAddress.toLowerCase() === expected.toLowerCase()
    : accountAddress === expected
