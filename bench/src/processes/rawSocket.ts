import { generateKeyPairSync, sign } from 'node:crypto'
import { connect } from 'node:net'

/**
 * A WebSocket with little cost for its own process, so that the bench measures the server. It
 * responds to pings.
 */
export type RawSocket = { send(texts: readonly string[]): void; end(): void }

const text = 0x1
const close = 0x8
const ping = 0x9
const pong = 0xa

/** Connects to a relay at `url` as a new client. Rejects if the relay refuses it. */
export function openRawSocket(
  url: string,
  onText: (text: string) => void,
  onPing: () => void = () => {},
): Promise<RawSocket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  const path = `/?auth=${relayToken(url)}&projectId=bench`
  const key = 'AAAAAAAAAAAAAAAAAAAAAA=='
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  )
  let rest: Buffer = Buffer.alloc(0)
  let open = false
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`${url} closed a socket`)))
    socket.on('data', (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      if (!open) {
        const end = rest.indexOf('\r\n\r\n')
        if (end === -1) return
        const head = rest.toString('latin1', 0, end)
        if (!head.startsWith('HTTP/1.1 101')) return reject(new Error(head))
        rest = rest.subarray(end + 4)
        open = true
        resolve({
          send: (texts) => socket.write(Buffer.concat(texts.map((one) => getFrame(text, one)))),
          end: () => socket.destroy(),
        })
      }
      rest = readFrames(rest, (opcode, payload) => {
        if (opcode === text) onText(payload.toString())
        else if (opcode === close) socket.destroy()
        else if (opcode === ping) {
          onPing()
          socket.write(getFrame(pong, payload))
        }
      })
    })
  })
}

/** Calls `onFrame` for each complete frame and returns the remaining bytes. */
function readFrames(data: Buffer, onFrame: (opcode: number, payload: Buffer) => void): Buffer {
  let at = 0
  while (data.length - at >= 2) {
    const short = (data[at + 1] ?? 0) & 0x7f
    const headLength = short === 126 ? 4 : short === 127 ? 10 : 2
    if (data.length - at < headLength) break
    const length =
      short === 126
        ? data.readUInt16BE(at + 2)
        : short === 127
          ? Number(data.readBigUInt64BE(at + 2))
          : short
    if (data.length - at < headLength + length) break
    const payloadAt = at + headLength
    onFrame((data[at] ?? 0) & 0xf, data.subarray(payloadAt, payloadAt + length))
    at = payloadAt + length
  }
  return data.subarray(at)
}

/** A masked frame whose mask is zero: the server works as for any other. */
function getFrame(opcode: number, payload: string | Buffer): Buffer {
  const length = Buffer.byteLength(payload)
  const headLength = length < 126 ? 6 : 8
  const frame = Buffer.alloc(headLength + length)
  frame[0] = 0x80 | opcode
  frame[1] = 0x80 | Math.min(length, 126)
  if (length >= 126) frame.writeUInt16BE(length, 2)
  if (typeof payload === 'string') frame.write(payload, headLength)
  else payload.copy(frame, headLength)
  return frame
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const encode = (json: unknown) => Buffer.from(JSON.stringify(json)).toString('base64url')

/** A token of a new client for the relay at `url`, good for a day. */
function relayToken(url: string): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12)
  let value = BigInt(`0xed01${key.toString('hex')}`)
  let encoded = ''
  for (; value > 0n; value /= 58n) encoded = (alphabet[Number(value % 58n)] ?? '') + encoded
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: `did:key:z${encoded}`, sub: 'ab'.repeat(32), aud: url, iat }
  const text = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode({ ...claims, exp: iat + 86_400 })}`
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
}
