import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { type Browser, type FrameLocation, toActions } from './browser.ts'
import { openBidi } from './openBidi.ts'
import { preferences } from './preferences.ts'
import { startOutside } from './startOutside.ts'
import { startProgram } from './startProgram.ts'

/** Firefox's NS_BINDING_ABORTED: the browser itself aborted a download. */
const bindingAborted = 0x804b0002

const waits = { intervals: [50], timeout: 60_000 }

type Context = { context: string; url: string; children?: Context[] | null }

/**
 * Firefox by WebDriver BiDi, with a new profile, its own pop-up blocker and no background requests.
 */
export async function startFirefox(): Promise<Browser> {
  const outside = await startOutside()
  const profile = await mkdtemp(join(tmpdir(), 'latchkey-firefox-'))
  await writeFile(join(profile, 'user.js'), preferences({ proxyPort: outside.port }))
  const program = await startProgram({
    command: process.env.FIREFOX ?? 'firefox-esr',
    args: ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'],
    env: {
      MOZ_HEADLESS_WIDTH: '1280',
      MOZ_HEADLESS_HEIGHT: '900',
      // Otherwise the address of its settings cannot be changed.
      MOZ_REMOTE_SETTINGS_DEVTOOLS: '1',
    },
    until: /^WebDriver BiDi listening on (ws:\S+)$/,
  })
  const errors: string[] = []
  const left = new Set<string>()
  const { command, close } = await openBidi(`${program.said}/session`, (name, event) => {
    if (name !== 'log.entryAdded' || event.level !== 'error' || left.has(event.source.realm)) return
    // A window that closes while its font still loads logs this error, which does not matter.
    if (!String(event.text).includes(`status=${bindingAborted}`))
      errors.push(`console: ${event.text}`)
  })
  await command('session.new', { capabilities: {} })
  await command('session.subscribe', { events: ['log.entryAdded'] })

  const tree = async (root?: string) => {
    const { contexts } = await command('browsingContext.getTree', root ? { root } : {})
    return contexts as Context[]
  }
  const contextOf = async ({ window, frame }: FrameLocation) => {
    if (frame === undefined) return window
    const inside = (all: readonly Context[]): Context | undefined =>
      all.find(({ url }) => url.includes(frame)) ??
      all.map(({ children }) => inside(children ?? [])).find(Boolean)
    return inside((await tree(window))[0]?.children ?? [])?.context
  }
  const evaluate: Browser['evaluate'] = async (place, expression) => {
    const context = await contextOf(place)
    if (context === undefined) return undefined
    const { result, exceptionDetails } = await command('script.evaluate', {
      expression: `JSON.stringify(${expression})`,
      target: { context },
      awaitPromise: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.text)
    return JSON.parse(result.value ?? 'null')
  }
  return {
    windows: async () => (await tree()).map(({ context }) => context),
    open: async (context, url) => {
      // Not `browsingContext.navigate`: Firefox reports aborted loads of the previous page as a
      // failure of this page. That page also reports it.
      const go = `window.isLeft = true; location.href = ${JSON.stringify(url)}`
      const { realm } = await command('script.evaluate', {
        ...{ expression: go, target: { context }, awaitPromise: false },
      })
      left.add(realm)
      // Another empty page may first replace the empty page of a new window.
      const isLoaded = `!window.isLeft && location.href !== 'about:blank' && document.readyState === 'complete'`
      // Between two pages, there is no page to evaluate in.
      await expect
        .poll(() => evaluate({ window: context }, isLoaded).catch(() => false), waits)
        .toBe(true)
    },
    openTab: async () => (await command('browsingContext.create', { type: 'tab' })).context,
    close: async (context) => {
      await command('browsingContext.close', { context })
    },
    evaluate,
    perform: async (place, steps) => {
      const context = await contextOf(place)
      await command('input.performActions', { context, actions: toActions(steps) })
    },
    screenshot: async (context) =>
      (await command('browsingContext.captureScreenshot', { context })).data,
    complaints: () => [...errors, ...outside.asked],
    stop: async () => {
      close()
      await program.stop()
      await outside.stop()
      await rm(profile, { recursive: true, force: true })
    },
  }
}
