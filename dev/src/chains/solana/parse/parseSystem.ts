import type { Parsed } from './parsed.ts'
import { readAddress } from './readToken.ts'

/** Instructions of the System program. */
export function parseSystem(accounts: readonly string[], data: Buffer): Parsed | undefined {
  const [first, second, third] = accounts
  const u64 = (at: number) => data.readBigUInt64LE(at)
  switch (data.readUInt32LE(0)) {
    case 0: {
      const created = { lamports: u64(4), space: u64(12), owner: readAddress(data, 20) }
      return { type: 'createAccount', info: { source: first, newAccount: second, ...created } }
    }
    case 1:
      return { type: 'assign', info: { account: first, owner: readAddress(data, 4) } }
    case 2:
      return {
        type: 'transfer',
        info: { source: first, destination: second, lamports: u64(4) },
      }
    case 4:
      return {
        type: 'advanceNonce',
        info: { nonceAccount: first, recentBlockhashesSysvar: second, nonceAuthority: third },
      }
    case 8:
      return { type: 'allocate', info: { account: first, space: u64(4) } }
    default:
      return undefined
  }
}
