import { createServer, request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, host } from '../ports.ts'
import { startViteWeb } from './startVite.ts'

/** The status of a WebSocket upgrade. */
const upgrade = (port: number, path: string, protocol: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-protocol': protocol,
    }
    const asked = request({ host, port, path, headers })
    asked.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      resolve(statusCode)
    })
    asked.on('response', ({ statusCode }) => resolve(statusCode))
    asked.on('error', reject)
    asked.end()
  })

test('behavior: a relay socket goes to the server, Vite keeps its own and the pages', async () => {
  const [apiPort, port] = [await freePort(), await freePort()]
  const asked: (string | undefined)[] = []
  const api = createServer()
  api.on('upgrade', ({ url }, socket) => {
    asked.push(url)
    socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
  })
  await new Promise<void>((resolve) => api.listen(apiPort, host, resolve))
  const stop = await startViteWeb({ port, apiUrl: `http://${host}:${apiPort}` })
  onTestFinished(async () => {
    await stop()
    api.close()
  })
  const page = await (await fetch(`http://${host}:${port}/`)).text()
  const token = /wsToken = "([^"]+)"/.exec(
    await (await fetch(`http://${host}:${port}/@vite/client`)).text(),
  )?.[1]
  expect(page).toContain('<!doctype html>')
  const headers = { accept: 'text/html' }
  const link = await fetch(`http://${host}:${port}/pay/alice.latchkey.id?amount=25`, { headers })
  expect(await link.text()).toContain('<!doctype html>')
  expect(await upgrade(port, '/?auth=a.b.c&projectId=local', 'irn')).toBe(401)
  expect(await upgrade(port, `/?token=${token}`, 'vite-hmr')).toBe(101)
  expect(asked).toEqual(['/?auth=a.b.c&projectId=local'])
})
