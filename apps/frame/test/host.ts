import {
  type Channel,
  type FrameProtocol,
  frameAllow,
  frameProtocol,
  openChannel,
} from '@latchkey/wire'

/** The functions that the test's host page offers to the test. */
export type Host = {
  channel?: Channel<FrameProtocol>
  events: [string, unknown][]
  answers: Record<string, unknown>
}

declare global {
  interface Window {
    host: Host
    /** Puts a frame into the page and opens the channel to it. */
    embed(address: string, sandbox?: string, allow?: string): Promise<void>
    /** Asks the frame; the answer is kept under `key`. */
    ask(key: string, method: string, params: unknown): void
  }
}

window.host = { events: [], answers: {} }

window.embed = async (address, sandbox, allow = frameAllow(new URL(address).origin)) => {
  const frame = document.createElement('iframe')
  frame.allow = allow
  frame.id = 'frame'
  frame.style.cssText = 'border:0;width:376px;height:560px;display:block'
  frame.referrerPolicy = 'origin'
  if (sandbox !== undefined) frame.setAttribute('sandbox', sandbox)
  frame.src = address
  document.body.append(frame)
  // Like the product: the browser reports visibility to the frame only while the page draws.
  const keepDrawing = () => setTimeout(() => requestAnimationFrame(keepDrawing), 100)
  keepDrawing()
  window.host.channel = await openChannel({
    window,
    target: frame.contentWindow as Window,
    targetOrigin: new URL(address).origin,
    protocol: frameProtocol,
    timeoutMs: 60_000,
    onEvent: (name, data) => {
      window.host.events.push([name, data])
      // As the product does: as high as it asks for.
      if (name === 'FRAME_SHOW')
        frame.style.height = `${Math.max(480, (data as { height: number }).height)}px`
    },
  })
}

window.ask = (key, method, params) => {
  window.host.answers[key] = undefined
  window.host.channel
    ?.request(method as 'APP_CLOSE', params as Record<string, never>, { timeoutMs: null })
    .then(
      (result) => {
        window.host.answers[key] = { result }
      },
      ({ code, message }) => {
        window.host.answers[key] = { code, message }
      },
    )
}
