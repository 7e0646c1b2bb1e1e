import { canParseUrl } from '@latchkey/wire'
import { isAncestorAllowed } from './isAncestorAllowed.ts'

/**
 * The parent window and its possible origins: one if the browser names it, otherwise all listed
 * origins.
 */
export type Embedding = { parent: Window; origins: string[] }

/**
 * Finds out who embeds this page. Undefined if it is not embedded, if the embedding page is itself
 * embedded (a page that is not listed could draw over a listed page inside it), or if the embedding
 * origin is not among the `sources` of frame-ancestors.
 */
export function findEmbedding(window: Window, sources: readonly string[]): Embedding | undefined {
  const { parent } = window
  if (parent === window || parent !== window.top) return undefined
  const chain = window.location.ancestorOrigins as DOMStringList | undefined
  if (chain) {
    const [origin] = chain
    if (chain.length !== 1 || origin === undefined || !isAncestorAllowed(origin, sources))
      return undefined
    return { parent, origins: [origin] }
  }
  const { referrer } = window.document
  const referrerOrigin = canParseUrl(referrer) ? new URL(referrer).origin : undefined
  if (referrerOrigin !== undefined && isAncestorAllowed(referrerOrigin, sources))
    return { parent, origins: [referrerOrigin] }
  const exact = sources.filter((source) => isAncestorAllowed(source, [source]))
  return exact.length > 0 ? { parent, origins: exact } : undefined
}
