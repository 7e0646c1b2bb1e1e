import { isError, LatchkeyError } from '@latchkey/wire'
import { createFrame, type Parts } from './handlers/createHandlers.ts'
import { hearHost } from './host/acceptHost.ts'
import { whoEmbeds } from './host/findEmbedding.ts'
import { openKeys } from './openKeys.ts'
import { readPageFacts } from './pageFacts.ts'
import { createReadChain } from './readChain.ts'
import { createStage, type Shown } from './screens/screenQueue.ts'
import { openSession } from './session/openSession.ts'
import { keysKey } from './wallet/keyStore.ts'

const version = '1'

/** The secure frame: hears the page around it, once, and shows itself when it has to. */
async function start(): Promise<void> {
  const root = document.getElementById('root')
  const facts = readPageFacts(document)
  const embedding = facts && whoEmbeds(window, facts.ancestors)
  if (!facts || !embedding || !root) return
  const { store, session } = await openSession()
  const keys = openKeys(session)
  const read = createReadChain(fetch.bind(window))
  hearHost({
    window,
    embedding,
    onConnect: (line) => {
      let said = ''
      const measure = ({ view, title }: Shown, height: number) => {
        const next = JSON.stringify([view, title, height])
        if (next !== said) line.emit('FRAME_SHOW', { view, title, height })
        said = next
      }
      let isDrawn = false
      // What draws comes with the first screen.
      const stage = createStage(async () => {
        const { drawStage } = await import('./screens/renderScreens.tsx')
        if (!isDrawn) drawStage(root, stage, measure)
        isDrawn = true
      })
      // The page around hears no key that is pressed in here.
      window.addEventListener('keydown', ({ key, isComposing }) => {
        if (key === 'Escape' && !isComposing) stage.close()
      })
      stage.subscribe(() => {
        if (stage.current()) return
        said = ''
        line.emit('FRAME_HIDE', {})
      })
      const handlers = createFrame({ window, facts, store, session, keys, stage, read }, line)
      line.emit('FRAME_READY', { version })
      void watch({ session, stage, store }, line.closed).catch(() => {})
      return noticeLoss(handlers, () => store.durable && window.location.reload())
    },
  })
}

/** Only a browser that holds a wallet, or did, has something to watch over. */
async function watch(parts: Pick<Parts, 'session' | 'stage' | 'store'>, closed: AbortSignal) {
  if (!(await parts.store.get(keysKey))) return
  const { watchRecoveries } = await import('./flows/watchRecoveries.ts')
  watchRecoveries(parts, closed)
}

type Answers = Record<string, (...asked: never) => unknown>

/**
 * Says OFFLINE where a part of the frame did not load, and has it all loaded anew: the browser keeps the failure as long as
 * the document, and a newer version has parts of other names.
 */
function noticeLoss<Handlers extends object>(handlers: Handlers, reload: () => void): Handlers {
  const watched = Object.entries(handlers as Answers).map(([name, answer]) => [
    name,
    async (...asked: never) => {
      try {
        return await answer(...asked)
      } catch (error) {
        if (!isLoss(error)) throw error
        // After the answer.
        setTimeout(reload)
        throw new LatchkeyError('OFFLINE', { cause: error })
      }
    },
  ])
  return Object.fromEntries(watched)
}

/** A module that did not load, here or in the key worker. */
const isLoss = (error: unknown): boolean =>
  isError(error, 'OFFLINE')
    ? isLoss(error.cause)
    : error instanceof TypeError && /module/.test(error.message)

void start()
