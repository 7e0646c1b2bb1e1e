import type { ChainId } from '@latchkey/wire'
import type { GetListedTokens } from '../tokens/listedTokens.ts'
import { markToken } from '../tokens/spam.ts'
import { tokenKey } from '../tokens/token.ts'
import type { GetTokenFacts } from '../tokens/tokenFacts.ts'

/** The token lists, and the names that contracts report. */
export type NameSources = { readonly getListed: GetListedTokens; readonly getFacts: GetTokenFacts }

/** An approval waits for the result. */
const maxWaitMs = 1_000
/** As many contracts as one call to a node reads. */
const maxRead = 20

/**
 * The unlisted tokens among the addresses whose name or symbol is bait, or copies a listed token.
 * Never throws, and waits a second at most: a token that is not known then is left out.
 */
export async function findMisnamed(
  { getListed, getFacts }: NameSources,
  { chainId, addresses }: { readonly chainId: ChainId; readonly addresses: readonly string[] },
): Promise<string[]> {
  const read = async () => {
    const { tokens, knownNames } = await getListed(chainId)
    const unlisted = addresses.filter((one) => !tokens.has(tokenKey(one))).slice(0, maxRead)
    const facts = await getFacts(
      chainId,
      unlisted.map((one) => one.toLowerCase()),
    )
    return unlisted.filter((address) => {
      const { name, symbol } = facts.get(address.toLowerCase()) ?? {}
      return markToken({ name, symbol, knownNames }) !== undefined
    })
  }
  const timer = AbortSignal.timeout(maxWaitMs)
  const late = new Promise<never[]>((resolve) => {
    timer.addEventListener('abort', () => resolve([]), { once: true })
  })
  return Promise.race([read().catch(() => []), late])
}
