import { readBytes, type SolanaMessage } from '@latchkey/wire/solana'
import { programs } from './programs.ts'
import type { AccountState, Accounts } from './readAccounts.ts'

const headerBytes = 56
const active = 2n ** 64n - 1n

/**
 * All addresses of a message in the order of its indices: its own, then the addresses from its
 * lookup tables. `unread`: the first table that is missing, is not a lookup table, is deactivated,
 * or has no such entry.
 */
export function resolveLookups(
  { keys, lookups }: SolanaMessage,
  accounts: Accounts,
): { addresses: string[] } | { unread: string } {
  const writable: string[] = []
  const readonly: string[] = []
  for (const lookup of lookups) {
    const entries = readTable(accounts.get(lookup.table))
    const find = (index: number) => entries?.(index)
    const some = [lookup.writable.map(find), lookup.readonly.map(find)]
    if (some.flat().includes(undefined)) return { unread: lookup.table }
    writable.push(...((some[0] ?? []) as string[]))
    readonly.push(...((some[1] ?? []) as string[]))
  }
  const addresses = [...keys, ...writable, ...readonly]
  // The network rejects a transaction that lists an account twice.
  const twice = addresses.length !== new Set(addresses).size
  return twice ? { unread: lookups[0]?.table ?? '' } : { addresses }
}

function readTable(account: AccountState | undefined) {
  if (account?.owner !== programs.lookupTable) return undefined
  const { data } = account
  if (data.length < headerBytes || (data.length - headerBytes) % 32 !== 0) return undefined
  const header = readBytes(data)
  if (header.u32() !== 1 || header.u64() !== active) return undefined
  return (index: number): string | undefined => {
    const at = headerBytes + index * 32
    return at + 32 <= data.length ? readBytes(data.subarray(at)).key() : undefined
  }
}
