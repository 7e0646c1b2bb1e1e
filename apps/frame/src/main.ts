import { type FramePageFacts, framePageFacts, isModuleLoss, LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import { openLoginSession } from './auth/openLoginSession.ts'
import type { FrameContext } from './context.ts'
import { createHandlers } from './handlers/createHandlers.ts'
import { acceptHost } from './host/acceptHost.ts'
import { findEmbedding } from './host/findEmbedding.ts'
import { openKeys } from './openKeys.ts'
import { parsePicture } from './picture/readPicture.ts'
import { createReadChain } from './readChain.ts'
import { createScreenQueue, type ScreenQueue, type VisibleScreen } from './screens/screenQueue.ts'

const version = '1'

/** The secure frame: accepts the host page once, and shows itself when needed. */
async function start(): Promise<void> {
  const root = document.getElementById('root')
  const facts = readPageFacts(document)
  const embedding = facts && findEmbedding(window, facts.ancestors)
  if (!facts || !embedding || !root) return
  const { store, session } = await openLoginSession()
  const keys = openKeys(session)
  const read = createReadChain(fetch.bind(window))
  acceptHost({
    window,
    embedding,
    onConnect: (connection) => {
      let lastShown = ''
      const measure = ({ view, title }: VisibleScreen, height: number) => {
        const next = JSON.stringify([view, title, height])
        if (next !== lastShown) connection.emit('FRAME_SHOW', { view, title, height })
        lastShown = next
      }
      let isDrawn = false
      // The drawing code loads with the first screen.
      const screenQueue: ScreenQueue = createScreenQueue({
        draw: async () => {
          const { renderScreens } = await import('./screens/renderScreens.tsx')
          if (!isDrawn) renderScreens(root, screenQueue, measure)
          isDrawn = true
        },
        readPicture: () => parsePicture({ store, session }),
      })
      // The host page receives no key events from the frame.
      window.addEventListener('keydown', ({ key, isComposing }) => {
        if (key === 'Escape' && !isComposing) screenQueue.close()
      })
      screenQueue.subscribe(() => {
        if (screenQueue.current()) return
        lastShown = ''
        connection.emit('FRAME_HIDE', {})
      })
      const handlers = createHandlers(
        { window, facts, store, session, keys, screenQueue, read },
        connection,
      )
      connection.emit('FRAME_READY', { version })
      void watch({ window, session, screenQueue, store }, connection.closed).catch(() => {})
      return reloadAfterModuleLoss(handlers, () => store.durable && window.location.reload())
    },
  })
}

/** Watches what happens to the account in other tabs and browsers. */
async function watch(
  context: Pick<FrameContext, 'window' | 'session' | 'screenQueue' | 'store'>,
  closed: AbortSignal,
) {
  const [{ watchAccountChanges }, { watchRecoveries }] = await Promise.all([
    import('./flows/watchAccountChanges.ts'),
    import('./flows/watchRecoveries.ts'),
  ])
  watchRecoveries(context, closed)
  watchAccountChanges(context, closed)
}

type Answers = Record<string, (...parameters: never) => unknown>

/**
 * Reports OFFLINE if a part of the frame did not load, and reloads the frame: the browser remembers
 * a failed import for the life of the document, and a newer version has other file names.
 */
function reloadAfterModuleLoss<Handlers extends object>(
  handlers: Handlers,
  reload: () => void,
): Handlers {
  const watched = Object.entries(handlers as Answers).map(([name, answer]) => [
    name,
    async (...parameters: never) => {
      try {
        return await answer(...parameters)
      } catch (error) {
        if (!isModuleLoss(error)) throw error
        // After the response was sent.
        setTimeout(reload)
        throw new LatchkeyError('OFFLINE', { cause: error })
      }
    },
  ])
  return Object.fromEntries(watched)
}

void start()

/**
 * Reads what the server wrote into this page; undefined if it wrote nothing, as in first-party
 * pages.
 */
function readPageFacts(document: Document): FramePageFacts | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="latchkey-frame"]')
  if (!meta?.content) return undefined
  try {
    const parsed = z.safeParse(framePageFacts, JSON.parse(meta.content))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
