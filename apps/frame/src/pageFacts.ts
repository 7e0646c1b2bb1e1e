import { type FramePageFacts, framePageFacts } from '@latchkey/wire'
import * as z from 'zod/mini'

/** What the server wrote into this page; undefined where it wrote nothing, as into the first-party pages. */
export function readPageFacts(document: Document): FramePageFacts | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="latchkey-frame"]')
  if (!meta?.content) return undefined
  try {
    const parsed = z.safeParse(framePageFacts, JSON.parse(meta.content))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
