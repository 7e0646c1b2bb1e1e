import { randomBytes } from 'node:crypto'
import { openRawSocket } from './rawSocket.ts'

const together = 64

// Holds idle sockets. `open` opens a number of sockets, `subscribe` subscribes each to a topic.
// Both report their duration, and how many sockets have received a ping so far.
const sockets: Awaited<ReturnType<typeof openRawSocket>>[] = []
let pings = 0
let answers = 0

process.on(
  'message',
  async ({ open, subscribe, url }: { open?: number; subscribe?: true; url: string }) => {
    const startMs = performance.now()
    for (let at = 0; at < (open ?? 0); at += together) {
      const count = Math.min(together, (open ?? 0) - at)
      const opened = Array.from({ length: count }, () =>
        openRawSocket(
          url,
          () => answers++,
          () => pings++,
        ),
      )
      sockets.push(...(await Promise.all(opened)))
    }
    if (subscribe) {
      const expected = answers + sockets.length
      for (const socket of sockets)
        socket.send([
          `{"id":1,"jsonrpc":"2.0","method":"irn_subscribe","params":{"topic":"${randomBytes(32).toString('hex')}"}}`,
        ])
      while (answers < expected) await new Promise((resolve) => setTimeout(resolve, 10))
    }
    process.send?.({ seconds: (performance.now() - startMs) / 1000, pings })
  },
)
process.once('disconnect', () => process.exit(0))
process.send?.('ready')
