import { createFrame } from './createFrame.ts'
import { hearHost } from './host/hearHost.ts'
import { whoEmbeds } from './host/whoEmbeds.ts'
import { openKeys } from './openKeys.ts'
import { readPageFacts } from './pageFacts.ts'
import { createReadChain } from './readChain.ts'
import { createStage, type Shown, type Stage } from './screens/stage.ts'
import { openSession } from './session/openSession.ts'

const version = '1'

/** The secure frame: hears the page around it, once, and shows itself when it has to. */
async function start(): Promise<void> {
  const root = document.getElementById('root')
  const facts = readPageFacts(document)
  const embedding = facts && whoEmbeds(window, facts.ancestors)
  if (!facts || !embedding || !root) return
  const { store, session } = await openSession()
  const keys = openKeys(session)
  const stage = createStage()
  // The page around hears no key that is pressed in here.
  window.addEventListener('keydown', ({ key, isComposing }) => {
    if (key === 'Escape' && !isComposing) stage.close()
  })
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
      draw({ root, stage, measure })
      stage.subscribe(() => {
        if (stage.current()) return
        said = ''
        line.emit('FRAME_HIDE', {})
      })
      const handlers = createFrame({ window, facts, store, session, keys, stage, read }, line)
      line.emit('FRAME_READY', { version })
      return handlers
    },
  })
}

/** Loads what draws with the first screen. */
function draw({
  root,
  stage,
  measure,
}: {
  root: HTMLElement
  stage: Stage
  measure: (shown: Shown, height: number) => void
}): void {
  const off = stage.subscribe(() => {
    off()
    void import('./screens/drawStage.tsx').then(({ drawStage }) => drawStage(root, stage, measure))
  })
}

void start()
