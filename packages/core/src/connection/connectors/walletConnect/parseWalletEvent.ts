import { type ChainId, isChainId, type Namespace } from '@latchkey/wire'
import { toCurrentChainId } from './proposalNamespaces.ts'
import { getNamespace } from './sessionAccounts.ts'

/** A chain as wallets say it: CAIP-2, or a number in hex or decimal on EVM. */
export function parseEventChain(value: unknown, namespace: Namespace): ChainId | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  if (typeof text !== 'string') return undefined
  if (text.includes(':'))
    return isChainId(text) && getNamespace(text) === namespace ? toCurrentChainId(text) : undefined
  const isNumber = /^(0x[0-9a-fA-F]{1,14}|\d{1,16})$/.test(text)
  const id = `${namespace}:${namespace === 'eip155' && isNumber ? Number(text) : text}`
  return isChainId(id) ? toCurrentChainId(id) : undefined
}

/** Addresses as wallets say them: plain or CAIP-10; what is no address is passed over. */
export function parseEventAddresses(value: unknown, namespace: Namespace): string[] {
  if (!Array.isArray(value)) return []
  return (value as unknown[]).flatMap((entry) => {
    if (typeof entry !== 'string') return []
    const parts = entry.split(':')
    if (parts.length === 3 && parts[0] !== namespace) return []
    const address = parts.length === 3 ? (parts[2] ?? '') : entry
    const pattern = namespace === 'eip155' ? /^0x[0-9a-fA-F]{40}$/ : /^[-.%a-zA-Z0-9]{1,128}$/
    return pattern.test(address) ? [address] : []
  })
}
