import { formatUnits } from '../text/formatUnits.ts'
import type { ChainId, Namespace } from './caip.ts'
import { parseCaipAddress, toChainId } from './parseCaip.ts'
import { shortNames } from './shortNames.ts'

/** The payment that a link requests. Fields that the link does not contain are undefined. */
export type PaymentLink = {
  namespace: Namespace
  chainId?: ChainId
  /** An unknown short name (ERC-3770) in lower case. */
  shortName?: string
  /** An address or a name. */
  to: string
  /** The contract or mint of a token; the network's own currency if absent. */
  token?: string
  /** Decimal string in whole tokens. */
  amount?: string
  /** The amount in the smallest unit, for a token whose decimals are not in the link. */
  units?: bigint
  /** The link requests a memo or a reference, which is not sent. */
  hasMemo?: true
}

/** Decimals of EVM native currencies. */
const nativeDecimals = 18

/**
 * Reads a payment link (EIP-681, BIP-21, Solana Pay), an account id (CAIP-10) or an address with
 * its network's short name (ERC-3770). Returns undefined for anything else, and for links whose
 * conditions cannot be met, such as other calls of a contract.
 */
export function readPaymentLink(text: string): PaymentLink | undefined {
  const link = text.replace(/[\s\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
  const [, scheme = '', rest = ''] = /^([\w-]{1,64}):(?:\/\/)?(\S+)$/.exec(link) ?? []
  try {
    switch (scheme.toLowerCase()) {
      case 'ethereum':
        return readEthereum(rest)
      case 'bitcoin':
        return readBitcoin(rest)
      case 'solana':
        return rest.includes(':') ? readCaip10(link) : readSolana(rest)
      default:
        return readErc3770(link) ?? readCaip10(link)
    }
  } catch {
    return undefined
  }
}

function readCaip10(link: string): PaymentLink {
  const { namespace, chainId, address } = parseCaipAddress(link)
  return { namespace, chainId, to: address }
}

function readErc3770(link: string): PaymentLink | undefined {
  const [, prefix = '', to] = /^([\w-]+):(0x[0-9a-f]{40})$/i.exec(link) ?? []
  if (to === undefined) return undefined
  const shortName = prefix.toLowerCase()
  const id = Object.hasOwn(shortNames, shortName) ? shortNames[shortName] : undefined
  return {
    namespace: 'eip155',
    to,
    ...(id === undefined ? { shortName } : { chainId: toChainId('eip155', id) }),
  }
}

/** EIP-681: `[pay-]target[@chain][/function]?parameters`. */
function readEthereum(rest: string): PaymentLink | undefined {
  const match =
    /^(?:pay-)?([^@/?]+)(?:@(\d{1,16}|0x[0-9a-f]{1,14}))?(?:\/(\w+))?(?:\?(.*))?$/i.exec(rest)
  const [, target = '', chain, call, query] = match ?? []
  if (!match) return undefined
  const parameters = readQuery(query)
  const chainId = chain === undefined ? {} : { chainId: toChainId('eip155', String(Number(chain))) }
  const base = { namespace: 'eip155', ...chainId } as const
  if (call === undefined) {
    const units = readUnits(parameters.value)
    const amount = units === undefined ? {} : { amount: formatUnits(units, nativeDecimals) }
    return { ...base, to: decodeURIComponent(target), ...amount }
  }
  const { address: to, value } = parameters
  // Other calls, and calls that also send currency, are not plain transfers.
  if (call !== 'transfer' || to === undefined || (readUnits(value) ?? 0n) > 0n) return undefined
  const units = readUnits(parameters.uint256)
  return { ...base, to, token: target, ...(units !== undefined && { units }) }
}

/** BIP-21. An unknown required parameter makes the link unusable. */
function readBitcoin(rest: string): PaymentLink | undefined {
  const [address = '', query] = split(rest)
  const parameters = readQuery(query)
  if (address === '' || Object.keys(parameters).some((key) => key.startsWith('req-')))
    return undefined
  return { namespace: 'bip122', to: toLowerBech32(address), ...readAmount(parameters.amount) }
}

/** QR codes hold Bech32 addresses in upper case. */
const toLowerBech32 = (address: string) =>
  /^(BC|TB|BCRT)1[0-9A-Z]+$/.test(address) ? address.toLowerCase() : address

/** Solana Pay: a transfer, not a link to a server that writes a transaction. */
function readSolana(rest: string): PaymentLink | undefined {
  const [to = '', query] = split(rest)
  const { amount, memo, reference, 'spl-token': token } = readQuery(query)
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(to)) return undefined
  return {
    namespace: 'solana',
    to,
    ...(token && { token }),
    ...readAmount(amount),
    ...((memo ?? reference) !== undefined && { hasMemo: true }),
  }
}

const split = (rest: string) => rest.split(/\?(.*)/s)

/**
 * The parameters by name. Throws if a known parameter appears twice, because the values could
 * differ.
 */
function readQuery(query = ''): Partial<Record<string, string>> {
  const found = new URLSearchParams(query)
  const keys = [...found.keys()]
  for (const key of ['amount', 'value', 'address', 'uint256', 'spl-token'])
    if (keys.filter((one) => one.toLowerCase() === key).length > 1) throw new Error(key)
  return Object.fromEntries([...found].map(([key, value]) => [key.toLowerCase(), value]))
}

function readAmount(amount: string | undefined) {
  if (amount === undefined) return {}
  if (!/^(\d+\.?\d*|\.\d+)$/.test(amount)) throw new Error('amount')
  return { amount }
}

/** Reads a whole number, which may have an exponent (`2.014e18`). Throws for anything else. */
function readUnits(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  const [, whole = '', fraction = '', exponent = '0'] =
    /^(\d{1,78})(?:\.(\d{1,78}))?(?:e\+?(\d{1,2}))?$/i.exec(text) ?? []
  const zeros = Number(exponent) - fraction.replace(/0+$/, '').length
  if (whole === '' || zeros < 0) throw new Error('value')
  return BigInt(whole + fraction.replace(/0+$/, '')) * 10n ** BigInt(zeros)
}
