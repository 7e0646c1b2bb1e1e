import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { isError } from '@latchkey/wire'
import { afterAll, afterEach, expect, test } from 'vitest'
import { makeServices } from '../../test/makeServices.ts'
import { OverBudget } from '../http/failure.ts'
import { createOutbound, type NetworkAccess, type Outbound } from './createOutbound.ts'
import { type FetchOptions, fetchOutside } from './fetchOutside.ts'

const readPem = (name: string) =>
  readFileSync(new URL(`../../test/tls/${name}.pem`, import.meta.url), 'utf8')
const [certificate, key] = [readPem('certificate'), readPem('key')]

type Handler = (request: IncomingMessage, response: ServerResponse) => void
const open: Server[] = []
const close = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()))
const closeAll = async () => {
  for (const server of open.splice(0)) {
    if ('closeAllConnections' in server) (server.closeAllConnections as () => void)()
    await close(server)
  }
}
afterEach(closeAll)
afterAll(closeAll)

const listen = async (server: Server, host = '127.0.0.1') => {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  open.push(server)
  return (server.address() as AddressInfo).port
}

/** A web server in this process; `seen` are the requested paths. */
async function serve(handle: Handler) {
  const seen: string[] = []
  const port = await listen(
    createServer((request, response) => {
      seen.push(request.url ?? '')
      response.on('error', () => {})
      handle(request, response)
    }),
  )
  return { port, url: `http://127.0.0.1:${port}`, seen }
}

type Way = Parameters<typeof createOutbound>[1]
function makeOutbound(allow: readonly (number | string)[] = [], way: Way = {}) {
  const services = makeServices({})
  const outboundAllow = allow.map((entry) =>
    typeof entry === 'number' ? `127.0.0.1:${entry}` : entry,
  )
  const publicUrl = 'https://wallet.example'
  const frame = { ...services.config.frame, url: 'https://frame.example' }
  const resolve = async () => {
    throw new Error('No name was expected')
  }
  return createOutbound(
    { ...services, config: { ...services.config, publicUrl, frame, outboundAllow } },
    { resolve, ...way },
  )
}

const json: FetchOptions = { accept: ['application/json'], maxBytes: 10_000, timeoutMs: 60_000 }

/** The body as a string, or the code and the reason of the error. */
async function get(outbound: Outbound, url: string, options: Partial<FetchOptions> = {}) {
  try {
    const { bytes } = await fetchOutside(outbound, url, { ...json, ...options })
    return bytes.toString()
  } catch (error) {
    if (!isError(error)) throw error
    return `${error.code} ${'reason' in error.data ? error.data.reason : ''}`
  }
}

const answer =
  (body: string | Buffer, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }

/**
 * A dial function that connects public addresses to this machine, and records the real addresses.
 */
function ledHome(port: number, dialled: string[]): NetworkAccess['dial'] {
  return ({ lookup, host = '' }) => {
    lookup?.(host, { all: true }, (_, found) => {
      dialled.push(...(Array.isArray(found) ? found.map(({ address }) => address) : [found]))
    })
    return connect(port, '127.0.0.1')
  }
}

test('default: fetches the URL without a trace of the visitor', async () => {
  const headers: IncomingMessage['headers'][] = []
  const { url, port } = await serve((request, response) => {
    headers.push(request.headers)
    answer('{"a":1}', { 'content-type': 'Application/JSON; charset=utf-8', 'set-cookie': 'a=b' })(
      request,
      response,
    )
  })
  const outbound = makeOutbound([port])
  const fetched = await fetchOutside(outbound, `${url}/x?y=1#z`, json)
  expect(fetched).toEqual({
    url: `${url}/x?y=1`,
    type: 'application/json',
    bytes: Buffer.from('{"a":1}'),
  })
  await fetchOutside(outbound, `${url}/x`, json)
  expect(headers[1]).toEqual({
    host: `127.0.0.1:${port}`,
    accept: 'application/json',
    'accept-encoding': 'gzip, br, deflate',
    'user-agent': 'Latchkey',
    connection: 'close',
  })
})

test('default: https to a public name, its certificate checked, at the address that was checked', async () => {
  const server = createTlsServer({ cert: certificate, key }, answer('"secure"'))
  const port = await listen(server)
  const dialled: string[] = []
  const names: string[] = []
  const way: Partial<NetworkAccess> = {
    resolve: async (host) => {
      names.push(host)
      return ['9.9.9.9', '2620:fe::fe']
    },
    dial: ledHome(port, dialled),
    ca: certificate,
  }
  expect(await get(makeOutbound([], way), 'https://pictures.test/a')).toBe('"secure"')
  expect(dialled).toEqual(['9.9.9.9', '2620:fe::fe'])
  expect(names).toEqual(['pictures.test'])
  const failed = 'OUTBOUND_FAILED no answer'
  expect(await get(makeOutbound([], way), 'https://other.test/a')).toBe(failed)
  expect(await get(makeOutbound([], { ...way, ca: undefined }), 'https://pictures.test/')).toBe(
    failed,
  )
  expect(await get(makeOutbound([], way), 'https://9.9.9.9/a')).toBe(failed)
})

test('behavior: a name that changes its address between the check and the connection changes nothing', async () => {
  const inside = await serve(answer('"inside"'))
  const outside = createTlsServer({ cert: certificate, key }, answer('"outside"'))
  const port = await listen(outside)
  const dialled: string[] = []
  const answers = [['9.9.9.9'], ['127.0.0.1'], ['9.9.9.9', '10.0.0.1'], ['::ffff:127.0.0.1']]
  const outbound = makeOutbound([], {
    resolve: async () => answers.shift() ?? [],
    dial: ledHome(port, dialled),
    ca: certificate,
  })
  const ask = () => get(outbound, 'https://rebinds.test/')
  expect(await ask()).toBe('"outside"')
  expect(await ask()).toBe('OUTBOUND_REFUSED its address is not public')
  expect(await ask()).toBe('OUTBOUND_REFUSED its address is not public')
  expect(await ask()).toBe('OUTBOUND_REFUSED its address is not public')
  expect(await ask()).toBe('OUTBOUND_FAILED its name has no address')
  expect(dialled).toEqual(['9.9.9.9'])
  expect(inside.seen).toEqual([])
})

test('behavior: of a name the operator allows, the address that was found first is connected to', async () => {
  const { port } = await serve(answer('"here"'))
  const asked: unknown[] = []
  const outbound = makeOutbound([`node.lan:${port}`], {
    resolve: async (host, { trusted }) => {
      asked.push([host, trusted])
      return asked.length === 1 ? ['127.0.0.1'] : ['127.0.0.2']
    },
  })
  expect(await get(outbound, `http://node.lan:${port}/`)).toBe('"here"')
  expect(asked).toEqual([['node.lan', true]])
})

test('behavior: names and addresses of this machine are refused, nothing is dialled', async () => {
  const { port, seen } = await serve(answer('"secret"'))
  const dialled: string[] = []
  const outbound = makeOutbound([], {
    dial: ledHome(port, dialled),
    resolve: async (host) => (host === 'mine.test' ? ['9.9.9.9'] : ['127.0.0.1', '::1']),
  })
  const spellings = [
    ...['127.0.0.1', '127.0.0.1.', '127.1', '2130706433', '0177.0.0.1', '0x7f000001', '0'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:a9fe:a9fe]', '[64:ff9b::a00:1]'],
    ...['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', '169.254.169.254', '10.0.0.1'],
    ...['192.168.1.1', '[fd00:ec2::254]', '[2002:7f00:1::]', '100.100.100.200', '168.63.129.16'],
  ]
  for (const host of spellings)
    expect([host, await get(outbound, `https://${host}/`)]).toEqual([
      host,
      'OUTBOUND_REFUSED its address is not public',
    ])
  const own = { ...outbound, ownAddresses: () => ['9.9.9.9', 'fe80::1'] }
  expect(await get(own, 'https://mine.test/')).toBe('OUTBOUND_REFUSED its address is not public')
  expect(await get(outbound, `http://127.0.0.1:${port}/`)).toBe('OUTBOUND_REFUSED only https is')
  expect(dialled).toEqual([])
  expect(seen).toEqual([])
})

test.each([301, 302, 303, 307, 308])('behavior: %i is followed', async (status) => {
  const { url, port } = await serve((request, response) => {
    if (request.url === '/b') answer('"b"')(request, response)
    else response.writeHead(status, { location: '/b' }).end('not read')
  })
  expect(await get(makeOutbound([port]), `${url}/a`)).toBe('"b"')
})

test.each([
  ['https://127.0.0.1/', 'OUTBOUND_REFUSED its address is not public'],
  ['https://[::1]/', 'OUTBOUND_REFUSED its address is not public'],
  ['https://0x7f.1/', 'OUTBOUND_REFUSED its address is not public'],
  ['//169.254.169.254/latest/meta-data', 'OUTBOUND_REFUSED only https is'],
  ['https://rebinds.test/', 'OUTBOUND_REFUSED its address is not public'],
  ['http://example.com/', 'OUTBOUND_REFUSED only https is'],
  ['file:///etc/passwd', 'OUTBOUND_REFUSED only https is'],
  ['https://a:b@example.com/', 'OUTBOUND_REFUSED it carries credentials'],
  ['https://example.com:6379/', 'OUTBOUND_REFUSED port 6379 is not open to it'],
  ['https://wallet.example/v1/nft', 'OUTBOUND_REFUSED it is this server'],
  ['https://FRAME.example./', 'OUTBOUND_REFUSED it is this server'],
  ['http://', 'OUTBOUND_FAILED it redirects without a location'],
  [undefined, 'OUTBOUND_FAILED it redirects without a location'],
])('error: a redirect to %s', async (location, expected) => {
  const { url, port } = await serve((_, response) =>
    response.writeHead(302, { ...(location && { location }) }).end(),
  )
  const resolve = async () => ['10.1.2.3']
  expect(await get(makeOutbound([port], { resolve }), url)).toBe(expected)
})

test('error: a redirect to a server of this machine that is not allowed', async () => {
  const inside = await serve(answer('"secret"'))
  const { url, port } = await serve((_, response) =>
    response.writeHead(302, { location: inside.url }).end(),
  )
  expect(await get(makeOutbound([port]), url)).toBe('OUTBOUND_REFUSED only https is')
  expect(inside.seen).toEqual([])
})

test('error: three redirects are followed, a fourth or a circle is not', async () => {
  const { url, port, seen } = await serve((request, response) => {
    const step = Number(request.url?.slice(1))
    if (step === 0) answer('"end"')(request, response)
    else response.writeHead(302, { location: step === 99 ? '/99' : `/${step - 1}` }).end()
  })
  const outbound = makeOutbound([port])
  expect(await get(outbound, `${url}/3`)).toBe('"end"')
  expect(await get(outbound, `${url}/4`)).toBe('OUTBOUND_FAILED it redirects too often')
  expect(await get(outbound, `${url}/99`)).toBe('OUTBOUND_FAILED it redirects too often')
  expect(seen.filter((path) => path === '/99')).toHaveLength(4)
})

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const packings = {
  gzip: gzipSync,
  br: (data: Buffer | string) => brotliCompressSync(data, quality),
  deflate: deflateSync,
} as const

test.each(Object.entries(packings))('behavior: %s is unpacked', async (encoding, pack) => {
  const { url, port } = await serve(answer(pack('"packed"'), { 'content-encoding': encoding }))
  expect(await get(makeOutbound([port]), url)).toBe('"packed"')
})

test.each(Object.entries(packings))(
  'error: a bomb of %s is left as soon as it is too large',
  async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(64 * 1024 * 1024))
    const { url, port } = await serve(answer(bomb, { 'content-encoding': encoding }))
    const before = process.memoryUsage().arrayBuffers
    const maxBytes = 1024 * 1024
    expect(await get(makeOutbound([port]), url, { maxBytes })).toBe(
      'OUTBOUND_FAILED it is larger than 1048576 bytes',
    )
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024)
  },
)

test('error: packed bytes that unpack to nothing are counted too', async () => {
  const emptyBlocks = Buffer.alloc(5 * 20_000, Buffer.from([0, 0, 0, 0xff, 0xff]))
  const body = Buffer.concat([gzipSync('').subarray(0, 10), emptyBlocks])
  const { url, port } = await serve(
    answer(body, { 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' }),
  )
  expect(await get(makeOutbound([port]), url)).toBe('OUTBOUND_FAILED it is larger than 10000 bytes')
})

test.each([
  ['gzip', 'not gzip', 'OUTBOUND_FAILED no answer'],
  ['gzip', gzipSync('"cut off"'.repeat(99)).subarray(0, 20), 'OUTBOUND_FAILED no answer'],
  ['gzip, gzip', 'x', 'OUTBOUND_FAILED its encoding is not supported'],
  ['zstd', 'x', 'OUTBOUND_FAILED its encoding is not supported'],
  ['constructor', 'x', 'OUTBOUND_FAILED its encoding is not supported'],
])('error: the encoding %s', async (encoding, body, expected) => {
  const { url, port } = await serve(answer(body, { 'content-encoding': encoding }))
  expect(await get(makeOutbound([port]), url)).toBe(expected)
})

test('error: an endless body is left at the limit of bytes, its connection closed', async () => {
  let closed = 0
  const { url, port } = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const write = () => {
      while (response.write(Buffer.alloc(4096, 'a')));
    }
    response.on('drain', write)
    response.on('close', () => closed++)
    write()
  })
  expect(await get(makeOutbound([port]), url)).toBe('OUTBOUND_FAILED it is larger than 10000 bytes')
  await expect.poll(() => closed).toBe(1)
})

test('error: a server that drips bytes in the head or the body, or sends nothing, is dropped in time', async () => {
  const timers: NodeJS.Timeout[] = []
  const drip = (write: () => void) => timers.push(setInterval(write, 20))
  const body = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    drip(() => response.write(' '))
  })
  const head = await listen(
    createTcpServer((socket) => {
      socket.on('error', () => {}).resume()
      socket.write('HTTP/1.1 200 OK\r\n')
      drip(() => socket.writable && socket.write('x: y\r\n'))
    }),
  )
  const mute = await listen(createTcpServer((socket) => socket.on('error', () => {}).resume()))
  const outbound = makeOutbound([body.port, head, mute, 'slow.test:443'], {
    resolve: () => new Promise(() => {}),
  })
  const startedAtMs = performance.now()
  const answers = await Promise.all(
    [body.url, `http://127.0.0.1:${head}`, `http://127.0.0.1:${mute}`, 'https://slow.test/'].map(
      (url) => get(outbound, url, { timeoutMs: 300 }),
    ),
  )
  for (const timer of timers) clearInterval(timer)
  expect(answers).toEqual(Array(4).fill('OUTBOUND_FAILED it took too long'))
  expect(performance.now() - startedAtMs).toBeLessThan(15_000)
})

test('error: the time is for all redirects together', async () => {
  const { url, port } = await serve((_, response) => {
    setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 150)
  })
  expect(await get(makeOutbound([port]), url, { timeoutMs: 250 })).toBe(
    'OUTBOUND_FAILED it took too long',
  )
})

test.each([
  ['text/html', ['application/json'], 'OUTBOUND_FAILED its type is text/html'],
  ['application/json+x', ['application/json'], 'OUTBOUND_FAILED its type is application/json+x'],
  ['image/png', ['image/*'], '"x"'],
  ['imagepng', ['image/*'], 'OUTBOUND_FAILED its type is imagepng'],
  ['', ['application/json'], 'OUTBOUND_FAILED its type is '],
])('param: accept, of %s', async (type, accept, expected) => {
  const { url, port } = await serve(answer('"x"', { 'content-type': type }))
  expect(await get(makeOutbound([port]), url, { accept })).toBe(expected)
})

test('param: accept, if the answer has no type', async () => {
  const { url, port } = await serve((_, response) => response.end('"x"'))
  const outbound = makeOutbound([port])
  expect(await get(outbound, url)).toBe('OUTBOUND_FAILED its type is application/octet-stream')
  expect(await get(outbound, url, { accept: ['application/octet-stream'] })).toBe('"x"')
})

test.each([
  ['larger than allowed', 'content-length: 99999999\r\n\r\n{}', 'it is larger than 10000 bytes'],
  ['longer than the body', 'content-length: 50\r\n\r\n{}', 'no answer'],
  ['twice', 'content-length: 2\r\ncontent-length: 3\r\n\r\n{}', 'no answer'],
  ['beside chunks', 'content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}', 'no answer'],
  ['negative', 'content-length: -1\r\n\r\n{}', 'no answer'],
  ['in a head without end', `x: ${'y'.repeat(100_000)}\r\n\r\n`, 'no answer'],
])('error: a content length %s', async (_, rest, reason) => {
  const port = await listen(
    createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () =>
        socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${rest}`),
      )
    }),
  )
  expect(await get(makeOutbound([port]), `http://127.0.0.1:${port}/`)).toBe(
    `OUTBOUND_FAILED ${reason}`,
  )
})

test('behavior: a content length shorter than the body cuts it', async () => {
  const port = await listen(
    createTcpServer((socket) => {
      socket.on('error', () => {})
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2'
      socket.once('data', () => socket.end(`${head}\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\n`))
    }),
  )
  expect(await get(makeOutbound([port]), `http://127.0.0.1:${port}/`)).toBe('{}')
})

test.each([204, 206, 304, 404, 500])('error: status %i', async (status) => {
  const { url, port } = await serve((_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(),
  )
  expect(await get(makeOutbound([port]), url)).toBe(`OUTBOUND_FAILED its status is ${status}`)
})

test('error: no server, or a server that hangs up', async () => {
  const port = await listen(createTcpServer((socket) => socket.destroy()))
  const outbound = makeOutbound([port, 9])
  expect(await get(outbound, `http://127.0.0.1:${port}/`)).toBe('OUTBOUND_FAILED no answer')
  expect(await get(outbound, 'http://127.0.0.1:9/')).toBe('OUTBOUND_FAILED no answer')
})

test.each([
  ['https', 'of a name'],
  ['https', 'of an address'],
  ['http', 'of a name'],
  ['http', 'of an address'],
])(
  'error: a connection that fails at once is an error of the fetch alone: %s %s',
  async (scheme, kind) => {
    const uncaught: unknown[] = []
    const note = (error: unknown) => uncaught.push(error)
    process.on('uncaughtException', note)
    // Without a route the system refuses before `connect` returns, for example for an IPv6 address
    // on a host without IPv6.
    const unreachable = '255.255.255.255'
    const outbound = makeOutbound(['six.test:80'], {
      resolve: async () => ['2620:fe::fe'],
      dial: ({ lookup, ...options }) => {
        if (kind === 'of an address') return connect({ ...options, host: unreachable })
        const refused: typeof lookup = (host, given, done) =>
          lookup?.(host, given, () => done(null, [{ address: unreachable, family: 4 }]))
        return connect({ ...options, lookup: refused })
      },
    })
    const fetches = Array.from({ length: 3 }, (_, index) =>
      get(outbound, `${scheme}://six.test/${index}`),
    )
    expect(await Promise.all(fetches)).toEqual(Array(3).fill('OUTBOUND_FAILED no answer'))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('uncaughtException', note)
    expect(uncaught).toEqual([])
  },
)

test('behavior: the same URL is fetched once for all who ask at once', async () => {
  const held: ServerResponse[] = []
  const { url, port, seen } = await serve((_, response) => held.push(response))
  const outbound = makeOutbound([port])
  const asked = [get(outbound, url), get(outbound, url), get(outbound, url)]
  await expect.poll(() => held.length).toBe(1)
  answer('"one"')({} as IncomingMessage, held[0] as ServerResponse)
  expect(await Promise.all(asked)).toEqual(['"one"', '"one"', '"one"'])
  expect(seen).toHaveLength(1)
  const again = get(outbound, url)
  await expect.poll(() => held.length).toBe(2)
  answer('"two"')({} as IncomingMessage, held[1] as ServerResponse)
  expect(await again).toBe('"two"')
})

test('behavior: a host gets four requests at once, and the 105th request is refused', async () => {
  const held: ServerResponse[] = []
  const { url, port } = await serve((_, response) => held.push(response))
  const other = await serve(answer('"other"'))
  const outbound = makeOutbound([port, `localhost:${other.port}`], {
    resolve: async () => ['127.0.0.1'],
  })
  const asked = Array.from({ length: 105 }, (_, index) => get(outbound, `${url}/${index}`))
  await expect.poll(() => held.length).toBe(4)
  expect(await get(outbound, `http://localhost:${other.port}/`)).toBe('"other"')
  expect(held.length).toBe(4)
  for (let index = 0; index < 104; index++) {
    await expect.poll(() => held.length, { interval: 1 }).toBeGreaterThan(index)
    answer('"held"')({} as IncomingMessage, held[index] as ServerResponse)
  }
  const answers = await Promise.all(asked)
  expect(answers.filter((text) => text === '"held"')).toHaveLength(104)
  expect(answers[104]).toBe('OUTBOUND_FAILED too many requests wait for this site')
})

test('error: who comes when all places are taken waits no longer than the fetch may last', async () => {
  const held: ServerResponse[] = []
  const { url, port } = await serve((_, response) => held.push(response))
  const outbound = makeOutbound([port])
  const first = [0, 1, 2, 3].map((index) => get(outbound, `${url}/${index}`))
  await expect.poll(() => held.length).toBe(4)
  expect(await get(outbound, `${url}/5`, { timeoutMs: 200 })).toBe(
    'OUTBOUND_FAILED too many requests wait before it',
  )
  for (const response of held) answer('"held"')({} as IncomingMessage, response)
  expect(await Promise.all(first)).toEqual(Array(4).fill('"held"'))
})

test('behavior: all names below one count as one host, and so do all bare addresses', async () => {
  const held: string[] = []
  const port = await listen(createTcpServer((socket) => socket.on('error', () => {}).resume()))
  const stopping = new AbortController()
  const outbound = makeOutbound([], {
    stopping: stopping.signal,
    resolve: async () => ['9.9.9.9'],
    dial: ({ host = '' }) => {
      held.push(host)
      return connect(port, '127.0.0.1')
    },
  })
  const hosts = [
    ...Array.from({ length: 6 }, (_, index) => `a${index}.b${index}.one.test`),
    ...Array.from({ length: 6 }, (_, index) => `[2620:fe::${index}]`),
    'pictures.test.',
  ]
  const asked = hosts.map((host) => get(outbound, `https://${host}/`))
  await expect.poll(() => held.length).toBe(9)
  expect(held.filter((host) => host.endsWith('one.test'))).toHaveLength(4)
  expect(held.filter((host) => host.startsWith('2620'))).toHaveLength(4)
  stopping.abort()
  expect(await Promise.all(asked)).toEqual(hosts.map(() => 'OUTBOUND_FAILED it took too long'))
})

test('error: what changes the protocol is left at once', async () => {
  const port = await listen(
    createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
        ),
      )
    }),
  )
  expect(await get(makeOutbound([port]), `http://127.0.0.1:${port}/`)).toBe(
    'OUTBOUND_FAILED no answer',
  )
})

test('behavior: running fetches end when the server stops', async () => {
  const stopping = new AbortController()
  const { url, port, seen } = await serve(() => {})
  const services = makeServices({})
  const outbound = createOutbound(
    { ...services, config: { ...services.config, outboundAllow: [`127.0.0.1:${port}`] } },
    { stopping: stopping.signal },
  )
  const asked = get(outbound, url)
  await expect.poll(() => seen.length).toBe(1)
  stopping.abort()
  expect(await asked).toBe('OUTBOUND_FAILED it took too long')
  expect(await get(outbound, url)).toMatch(/^OUTBOUND_FAILED/)
})

test('error: a fetch that exceeds the memory of answers ends, and none begins without room', async () => {
  const { url, port, seen } = await serve(answer(`"${'x'.repeat(8_000)}"`))
  const outbound = makeOutbound([port])
  const { responseMemory } = outbound
  // The total, plus a quarter for the server's own work.
  const most = 1.25 * 256 * 1024 * 1024
  const all = responseMemory.open(undefined, most - 70_000)
  await expect(fetchOutside(outbound, url, json)).rejects.toBeInstanceOf(OverBudget)
  expect(seen).toHaveLength(1)
  all?.hold(most)
  await expect(fetchOutside(outbound, url, json)).rejects.toBeInstanceOf(OverBudget)
  expect(seen).toHaveLength(1)
  all?.release()
  expect(await get(outbound, url)).toHaveLength(8_002)
  expect(responseMemory.held()).toBe(0)
})
