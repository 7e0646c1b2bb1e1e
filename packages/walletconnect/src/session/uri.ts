import { canParseUrl, decodeBase64, decodeUtf8, LatchkeyError } from '@latchkey/wire'
import { bytesToHex } from '@noble/hashes/utils.js'
import { bytesFromHex, encodeText } from '../crypto/bytes.ts'
import { findPairingUri } from './findPairingUri.ts'

/**
 * The content of a pairing URI. `topic` and `symKey` are 32 bytes in hex, `expiry` is Unix time in
 * seconds, `methods` are the proposer's methods beyond the usual ones, and `relayUrl` is the
 * relay's address if the URI contains it.
 */
export type PairingUri = {
  topic: string
  symKey: string
  relayProtocol: string
  relayUrl?: string
  expiry?: number
  methods: string[]
}

const maxLength = 4096

/** Writes `wc:…@2?…`. `relay-data` contains the relay's address, encoded as UTF-8 in hex. */
export function formatPairingUri(uri: PairingUri): string {
  const parameters = [`relay-protocol=${encodeURIComponent(uri.relayProtocol)}`]
  if (uri.relayUrl !== undefined)
    parameters.push(`relay-data=${bytesToHex(encodeText(uri.relayUrl))}`)
  parameters.push(`symKey=${uri.symKey}`)
  if (uri.expiry !== undefined) parameters.push(`expiryTimestamp=${uri.expiry}`)
  if (uri.methods.length > 0)
    parameters.push(`methods=${encodeURIComponent(uri.methods.join(','))}`)
  return `wc:${uri.topic}@2?${parameters.join('&')}`
}

/**
 * Reads a pairing URI: `wc:`, `wc://`, either in base64, or a link that contains them
 * ({@link findPairingUri}). `nowSeconds` is Unix time. Throws PAIRING_URI_INVALID,
 * PAIRING_URI_EXPIRED.
 */
export function parsePairingUri(text: string, nowSeconds: number): PairingUri {
  const [head, query] = split(text)
  const parameters = [...new URLSearchParams(query)]
  const one = (name: string) => {
    // Some QR codes contain only capital letters.
    const isNamed = ([key]: [string, string]) => key.toLowerCase() === name.toLowerCase()
    const values = parameters.filter(isNamed).map(([, value]) => value)
    if (values.length > 1) throw invalid(`${name} stands twice`)
    return values[0]
  }
  const symKey = one('symKey')?.toLowerCase() ?? ''
  if (bytesFromHex(symKey, 32) === undefined) throw invalid('symKey is not a key')
  const expiry = parseExpiry(one('expiryTimestamp'))
  const relayUrl = parseRelayUrl(one('relay-data'))
  const uri: PairingUri = {
    topic: getTopic(head),
    symKey,
    relayProtocol: one('relay-protocol')?.toLowerCase() ?? '',
    ...(relayUrl === undefined ? {} : { relayUrl }),
    ...(expiry === undefined ? {} : { expiry }),
    methods: parseMethods(one('methods') ?? ''),
  }
  if (uri.relayProtocol !== 'irn') throw invalid('its relay protocol is not irn')
  if (expiry !== undefined && expiry <= nowSeconds) throw new LatchkeyError('PAIRING_URI_EXPIRED')
  return uri
}

const invalid = (reason: string) => new LatchkeyError('PAIRING_URI_INVALID', { data: { reason } })

const scheme = /^wc:(?:\/\/)?/i

function split(text: string): [head: string, query: string] {
  const trimmed = text.trim()
  if (trimmed.length > maxLength) throw invalid('it is too long')
  const plain = findPairingUri(trimmed) ?? (scheme.test(trimmed) ? trimmed : fromBase64(trimmed))
  if (plain === undefined || !scheme.test(plain)) throw invalid('it does not begin with wc:')
  const rest = plain.replace(scheme, '')
  const mark = rest.indexOf('?')
  return mark < 0 ? [rest, ''] : [rest.slice(0, mark), rest.slice(mark + 1)]
}

function fromBase64(text: string): string | undefined {
  const url = text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  const bytes = decodeBase64(url, 'base64url')
  return bytes && decodeUtf8(bytes)?.trim()
}

function getTopic(head: string): string {
  const [topic = '', version, ...rest] = head.split('@')
  if (rest.length > 0 || version === undefined || !/^\d+$/.test(version))
    throw invalid('it names no version')
  if (version !== '2') throw invalid(`version ${version.slice(0, 10)} is not supported`)
  const lower = topic.toLowerCase()
  if (bytesFromHex(lower, 32) === undefined) throw invalid('its topic is malformed')
  return lower
}

function parseExpiry(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw invalid('its expiry is not a number')
  return Number(text)
}

// The specification groups methods in brackets, clients write a plain list.
const parseMethods = (text: string) =>
  text
    .replace(/[[\]]/g, '')
    .split(',')
    .map((method) => method.trim())
    .filter((method) => method !== '')

// Only we use relay-data, so a value that is not a relay's address is not an error.
function parseRelayUrl(hex: string | undefined): string | undefined {
  if (hex === undefined || hex.length % 2 === 1) return undefined
  const bytes = bytesFromHex(hex.toLowerCase(), hex.length / 2)
  const text = bytes && decodeUtf8(bytes)
  if (text === undefined || !canParseUrl(text)) return undefined
  const { protocol, username, password, hash } = new URL(text)
  const isRelay = protocol === 'wss:' || protocol === 'ws:'
  return isRelay && username + password + hash === '' ? text : undefined
}
