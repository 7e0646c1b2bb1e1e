import { once } from 'node:events'
import { WebSocket } from 'ws'

/** What a browser answers: checked where it is used, and a browser is not an attacker here. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of the browser
type Answer = any

/** A WebDriver BiDi connection. A command throws what the browser refuses it with. */
export async function openBidi(url: string, onEvent: (name: string, event: Answer) => void) {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const waiting = new Map<number, { resolve(value: Answer): void; reject(error: Error): void }>()
  let count = 0
  socket.on('message', (data) => {
    const said = JSON.parse(String(data))
    if (said.type === 'event') return onEvent(said.method, said.params)
    const asked = waiting.get(said.id)
    waiting.delete(said.id)
    if (said.type === 'success') asked?.resolve(said.result)
    else asked?.reject(new Error(`${said.error}: ${said.message}`))
  })
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser is gone'))
  })
  return {
    command: (method: string, params: object) =>
      new Promise<Answer>((resolve, reject) => {
        count += 1
        waiting.set(count, { resolve, reject })
        socket.send(JSON.stringify({ id: count, method, params }))
      }),
    close: () => socket.close(),
  }
}
