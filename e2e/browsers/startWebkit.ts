import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@latchkey/dev'
import { type Browser, type FrameLocation, type Step, toActions } from './browser.ts'
import { openWebDriver } from './openWebDriver.ts'
import { startDisplay } from './startDisplay.ts'
import { startOutside } from './startOutside.ts'
import { startProgram } from './startProgram.ts'
import { cornerExpression } from './target.ts'

type Move = Extract<Step, { type: 'pointerMove' }>

/** WebKitGTK's own small browser by WebDriver, on a screen in memory. */
export async function startWebkit(): Promise<Browser> {
  const outside = await startOutside()
  const display = await startDisplay()
  const errors: string[] = []
  const home = await mkdtemp(join(tmpdir(), 'latchkey-webkit-'))
  await mkdir(join(home, 'gtk-3.0'))
  // Sets `prefers-reduced-motion` for pages.
  await writeFile(join(home, 'gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=false\n')
  const proxy = `127.0.0.1:${outside.port}`
  const start = async (triesLeft: number) => {
    const port = await freePort()
    const program = await startProgram({
      command: 'WebKitWebDriver',
      args: [`--port=${port}`],
      env: {
        DISPLAY: display.said,
        GDK_BACKEND: 'x11',
        XDG_CONFIG_HOME: home,
        // The processor renders. Emulating a graphics card takes twice as long.
        WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1',
        WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      },
      onLine: (line) => {
        if (/^CONSOLE.*ERROR/.test(line)) errors.push(line)
      },
    })
    try {
      return { program, ...(await openWebDriver(`http://127.0.0.1:${port}`, capabilities(proxy))) }
    } catch (error) {
      await program.stop()
      // The driver waits forever if its browser exits during startup, which happens now and then.
      if (triesLeft === 0) throw error
      return start(triesLeft - 1)
    }
  }
  const { program, command, close } = await start(8)
  // A session controls one window at a time.
  const enter = async ({ window, frame }: FrameLocation) => {
    await command('POST', '/window', { handle: window })
    if (frame === undefined) return true
    const script = `return document.querySelector('iframe[src*=' + JSON.stringify(arguments[0]) + ']')`
    const id = await command('POST', '/execute/sync', { script, args: [frame] })
    if (id) await command('POST', '/frame', { id })
    return id !== null
  }
  const evaluate = async (place: FrameLocation, expression: string) => {
    if (!(await enter(place))) return undefined
    const script = `return JSON.stringify(${expression})`
    return JSON.parse((await command('POST', '/execute/sync', { script, args: [] })) ?? 'null')
  }
  /** Converts a move from a frame's coordinates to its window's coordinates. */
  const toWindow = async ({ window, frame }: FrameLocation, step: Move): Promise<Move> => {
    if (frame === undefined) return step
    const corner: { x: number; y: number } = await evaluate({ window }, cornerExpression(frame))
    return { ...step, x: Math.round(step.x + corner.x), y: Math.round(step.y + corner.y) }
  }
  return {
    windows: () => command('GET', '/window/handles'),
    open: async (window, url) => {
      await enter({ window })
      await command('POST', '/url', { url })
    },
    openTab: async () => (await command('POST', '/window/new', { type: 'window' })).handle,
    close: async (window) => {
      await enter({ window })
      await command('DELETE', '/window')
    },
    evaluate,
    perform: async ({ window, frame }, steps) => {
      const shifted = []
      for (const step of steps)
        shifted.push(step.type === 'pointerMove' ? await toWindow({ window, frame }, step) : step)
      // A pointer is the window's, keys are the frame's.
      const isKeys = steps.some(({ type }) => type.startsWith('key'))
      await enter(isKeys ? { window, frame } : { window })
      await command('POST', '/actions', { actions: toActions(shifted) })
    },
    screenshot: async (window) => {
      await enter({ window })
      return command('GET', '/screenshot')
    },
    complaints: () => [...errors, ...outside.asked],
    stop: async () => {
      await close()
      await program.stop()
      await display.stop()
      await outside.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

const capabilities = (proxy: string) => ({
  proxy: {
    proxyType: 'manual',
    httpProxy: proxy,
    sslProxy: proxy,
    noProxy: ['127.0.0.1', 'localhost'],
  },
  'webkitgtk:browserOptions': {
    args: ['--automation', '--enable-write-console-messages-to-stdout=true'],
  },
})
