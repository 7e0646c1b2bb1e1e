import { isAncestorAllowed } from './isAncestorAllowed.ts'

/** The window around this one and the origins that it may be of: one where the browser says it, else all that are listed. */
export type Embedding = { parent: Window; origins: string[] }

/**
 * Who embeds this page. Undefined when nobody does, when the embedding page is itself embedded (a listed page inside one
 * that is not listed could be drawn over), and when the embedding origin is not among the `sources` of frame-ancestors.
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
  const named = URL.canParse(referrer) ? new URL(referrer).origin : undefined
  if (named !== undefined && isAncestorAllowed(named, sources)) return { parent, origins: [named] }
  const exact = sources.filter((source) => isAncestorAllowed(source, [source]))
  return exact.length > 0 ? { parent, origins: exact } : undefined
}
