import { generateKeyPairSync, sign } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startServer } from '../index.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

test('default: alone, without a database, it starts at once and carries a message', async () => {
  const server = await startServer({ ROLE: 'relay', PORT: '0', LOG_LEVEL: 'silent' })
  stops.push(server.stop)
  expect((await fetch(`${server.url}/health`)).status).toBe(204)
  const ws = new WebSocket(server.url.replace('http', 'ws') + '/?projectId=x&useOnCloseEvent=true')
  const closed = await new Promise((resolve) =>
    ws.on('close', (code, reason) => resolve([code, String(reason)])),
  )
  expect(closed).toEqual([3000, 'JWT validation error: JWT Token is missing'])
  void [generateKeyPairSync, sign]
})
