import type { Hex } from '../evm/hex.ts'
import type { Discovery } from './holding.ts'

const keptMs = 30_000
const maxAccounts = 2_000

type CachedTokens = { readonly tokens: Promise<readonly Hex[]>; forget(): void }

/**
 * Makes `readTokens` cache the tokens that an account received for half a minute, or until its
 * activity changes: the query is the larger part of a balance's database cost.
 */
export function rememberTokens(activity: Discovery): Discovery {
  const byAccount = new Map<string, CachedTokens>()
  const read = (key: string, ...[account, limit]: Parameters<Discovery['readTokens']>) => {
    const forget = () => {
      clearTimeout(timer)
      off()
      if (byAccount.get(key)?.forget === forget) byAccount.delete(key)
    }
    const timer = setTimeout(forget, keptMs).unref()
    // Listens before reading, so that a change in the meantime is not missed. `quiet`, because a
    // cached read is no reason to follow the account.
    const off = activity.listen(account, forget, 'quiet')
    const tokens = activity.readTokens(account, limit)
    tokens.catch(forget)
    if (byAccount.size >= maxAccounts) byAccount.values().next().value?.forget()
    byAccount.set(key, { tokens, forget })
    return tokens
  }
  return {
    ...activity,
    readTokens(account, limit) {
      const key = `${account.chainId} ${account.address} ${limit}`
      return byAccount.get(key)?.tokens ?? read(key, account, limit)
    },
  }
}
