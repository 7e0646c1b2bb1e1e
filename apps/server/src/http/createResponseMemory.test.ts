import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createResponseMemory } from './createResponseMemory.ts'

const kilobyte = 1024
const open = () =>
  createResponseMemory({
    clock: () => 0,
    limits: { total: 1024 * kilobyte, perClient: 256 * kilobyte },
  })

test('default: held memory counts for its client and in total until it is released', () => {
  const responseMemory = open()
  const reservation = responseMemory.open('a')
  expect(responseMemory.held('a')).toBe(64 * kilobyte)
  expect(reservation?.add(10)).toBe(true)
  expect([responseMemory.held('a'), responseMemory.held()]).toEqual([
    64 * kilobyte + 10,
    64 * kilobyte + 10,
  ])
  expect(reservation?.hold(5)).toBe(true)
  expect(responseMemory.held()).toBe(5)
  reservation?.release()
  reservation?.release()
  expect([responseMemory.held('a'), responseMemory.held()]).toEqual([0, 0])
  expect(reservation?.add(1)).toBe(false)
  expect(responseMemory.held()).toBe(0)
})

test('error: one client gets at most its share, all clients together at most the total', () => {
  const responseMemory = open()
  const ofOne = Array.from({ length: 10 }, () => responseMemory.open('a')).filter(Boolean)
  expect(ofOne).toHaveLength(4)
  expect(responseMemory.held('a')).toBe(256 * kilobyte)
  expect(ofOne[0]?.add(1)).toBe(false)
  const ofMany = Array.from({ length: 20 }, (_, index) => responseMemory.open(`b${index}`)).filter(
    Boolean,
  )
  expect(ofMany).toHaveLength(12)
  expect(responseMemory.held()).toBe(1024 * kilobyte)
  expect(responseMemory.open('c', 0)).toBeDefined()
  expect(responseMemory.open('c')).toBeUndefined()
  expect(responseMemory.trouble()).toMatch(/used up/)
  ofMany[0]?.release()
  expect(responseMemory.open('c')).toBeDefined()
})

test('behavior: clients that hold little, and the server itself, find room when the total is used up', () => {
  const responseMemory = open()
  for (const client of ['a', 'b', 'c', 'd']) responseMemory.open(client, 256 * kilobyte)
  expect(responseMemory.trouble()).toBeUndefined()
  expect(responseMemory.open('e')).toBeUndefined()
  const little = Array.from({ length: 20 }, (_, index) =>
    responseMemory.open(`f${index}`, 16 * kilobyte),
  )
  expect(little.filter(Boolean)).toHaveLength(8)
  expect(responseMemory.open(undefined, 128 * kilobyte)).toBeDefined()
  expect(responseMemory.open(undefined, 1)).toBeUndefined()
})

/**
 * Answers with `bytes` to a client that does not read, and accounts for them as the answer to
 * `client`.
 */
async function sendUnread(responseMemory: ReturnType<typeof open>, client: string, bytes: number) {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const response = (await once(server, 'request'))[1] as ServerResponse
  // First the bytes that the operating system buffers, so that everything after them waits in this
  // process.
  response.writeHead(200)
  while (response.write(Buffer.alloc(64 * kilobyte))) await new Promise(setImmediate)
  const reservation = responseMemory.open(client, 0)
  response.write(Buffer.alloc(bytes - response.writableLength))
  if (reservation) responseMemory.send(response, reservation)
  return response.req.socket
}

test('error: unread answers of a client that holds more give way to the answers of others', async () => {
  const responseMemory = open()
  const sockets = []
  for (let at = 0; at < 6; at++)
    sockets.push(
      await sendUnread(responseMemory, 'abc'.charAt(at % 3), (at < 3 ? 110 : 100) * kilobyte),
    )
  responseMemory.open('d', 256 * kilobyte)
  expect(responseMemory.held()).toBeLessThan(1024 * kilobyte)
  expect(responseMemory.open('e', 200 * kilobyte)).toBeDefined()
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, ...Array(5).fill(false)])
  // No answer is dropped for a client that would hold more.
  expect(responseMemory.open('e', 50 * kilobyte)).toBeUndefined()
})
