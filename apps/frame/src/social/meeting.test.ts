import { meetWindows } from '@latchkey/wire'
import { afterEach, expect, test } from 'vitest'
import { answerFrame } from './answerFrame.ts'
import { windowProtocol } from './windowProtocol.ts'

const own = 'https://frame.example'
const tx = 'A'.repeat(22)
const challenge = 'C'.repeat(43)
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

/**
 * A window of an origin, and how another one holds it: messages arrive later, and only at the
 * origin that they name.
 */
function createWindow(origin: string) {
  const replaced: string[] = []
  const location = { origin, replace: (url: string) => void replaced.push(url) }
  return Object.assign(new EventTarget(), { origin, closed: false, location, replaced })
}
type Fake = ReturnType<typeof createWindow>

function hold(to: Fake, from: Fake, back: () => unknown) {
  return {
    closed: false,
    postMessage(data: string, targetOrigin: string, ports: Transferable[] = []) {
      if (targetOrigin !== to.origin) return
      const message = { source: back(), origin: from.origin, data, ports }
      queueMicrotask(() => to.dispatchEvent(Object.assign(new Event('message'), message)))
    },
  }
}

/**
 * A frame that waits for the window of `asked`, and a window at `origin` that was opened for `tx`.
 */
async function meet({ asked = tx, origin = own }: { asked?: string; origin?: string } = {}) {
  const [frame, opened] = [createWindow(own), createWindow(origin)]
  const toFrame: ReturnType<typeof hold> = hold(frame, opened, () => toOpened)
  const toOpened: ReturnType<typeof hold> = hold(opened, frame, () => toFrame)
  const answers: unknown[] = []
  const met = new Promise<void>((resolve) => {
    cleanups.push(
      meetWindows({
        window: frame,
        origin: own,
        protocol: windowProtocol,
        onMeet: async ({ request }) => {
          try {
            answers.push(await request('MEET', { tx: asked }))
            await request('GO', {})
          } catch (error) {
            answers.push((error as { code?: unknown }).code)
          }
          resolve()
        },
      }),
    )
  })
  const here = opened as unknown as Window
  cleanups.push(answerFrame(here, { peer: toFrame, tx, challenge }))
  return { met, answers, opened, frame }
}

test('default: the window of this login tells its challenge, and goes to the provider', async () => {
  const { met, answers, opened } = await meet()
  await met
  expect(answers).toEqual([{ challenge }])
  await expect.poll(() => opened.replaced).toEqual(['/oauth/start'])
})

test('login begun by others: the window of another login tells nothing, and stays', async () => {
  const { met, answers, opened } = await meet({ asked: 'B'.repeat(22) })
  await met
  expect(answers).toEqual(['LOGIN_ENDED'])
  expect(opened.replaced).toEqual([])
})

test('login begun by others: windows and frames of another origin are ignored and receive nothing', async () => {
  const evil = 'https://evil.example'
  const { answers, frame, opened } = await meet({ origin: evil })
  const heard: unknown[] = []
  opened.addEventListener('message', (event) => heard.push(event))
  const data = JSON.stringify({ latchkey: 'ready' })
  frame.dispatchEvent(
    Object.assign(new Event('message'), { source: opened, origin: evil, data, ports: [] }),
  )
  // A message that would be answered, so that what came before has been dealt with.
  const { met } = await meet()
  await met
  expect([answers, heard, opened.replaced]).toEqual([[], [], []])
})
