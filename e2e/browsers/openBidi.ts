import { once } from 'node:events'
import { WebSocket } from 'ws'

/**
 * A browser's response. Not validated here: its users check it, and a browser is not an attacker.
 */
// biome-ignore lint/suspicious/noExplicitAny: a response of the browser
type CommandResult = any

/** A WebDriver BiDi connection. A command throws the browser's error. */
export async function openBidi(url: string, onEvent: (name: string, event: CommandResult) => void) {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const waiting = new Map<
    number,
    { resolve(value: CommandResult): void; reject(error: Error): void }
  >()
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
      new Promise<CommandResult>((resolve, reject) => {
        count += 1
        waiting.set(count, { resolve, reject })
        socket.send(JSON.stringify({ id: count, method, params }))
      }),
    close: () => socket.close(),
  }
}
