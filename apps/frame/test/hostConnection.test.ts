import type { BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  approveLink,
  ask,
  begin,
  type FrameStack,
  inside,
  logIn,
  settle,
  startFrame,
} from './startFrame.ts'

let frame: FrameStack
let context: BrowserContext
const faults: string[] = []

beforeAll(async () => {
  frame = await startFrame()
})
afterAll(() => frame?.stop())
afterEach(() => context?.close())

const open = async () => {
  faults.length = 0
  context = await frame.newContext()
  context.on('weberror', (error) => faults.push(error.error().message))
  return frame.embed(context)
}

/**
 * Opens a page of `body` at `url`; the result says whether it, or a frame of it, has heard anything
 * at all.
 */
async function listenAt(url: string, body: string): Promise<() => Promise<boolean>> {
  context = await frame.newContext()
  await context.route(url, (route) => route.fulfill({ contentType: 'text/html', body }))
  const page = await context.newPage()
  await page.goto(url)
  return async () => {
    const results = await Promise.all(
      page
        .frames()
        .map((one) => one.evaluate(() => (window as { heard?: boolean }).heard === true)),
    )
    return results.includes(true)
  }
}

const listening = (address: string) =>
  `<script>addEventListener('message', (event) => { if (String(event.data).includes('latchkey') || event.data?.type === '@w3m-frame/READY') window.heard = true })</script><iframe src="${address}"></iframe>`

test('malformed messages: 20 000 messages of every shape and from every window change nothing', async () => {
  const page = await open()
  const before = await ask(page, 'APP_GET_CHAIN_ID')
  const opener = await context.newPage()
  await opener.goto(`${frame.hostUrl}/host`)
  await page.evaluate(() => {
    const target = document.querySelector('iframe')?.contentWindow
    const words = ['APP_HELLO', 'latchkey', 'hello', 'ready', '__proto__', '@w3m-app/GET_USER', '']
    const pick = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)] as T
    const draw = (depth: number): unknown =>
      pick([
        () => Math.random() * 1e9,
        () => pick(words),
        () => null,
        () => undefined,
        () => new Date(),
        () => new Map([[1, new Set([2])]]),
        () => 10n,
        () => '\u0000\u202e'.repeat(20),
        () => (depth > 4 ? 1 : Array.from({ length: 3 }, () => draw(depth + 1))),
        () => ({ type: pick(words), latchkey: pick(words), id: draw(5), payload: draw(depth + 1) }),
        () => JSON.stringify({ latchkey: pick(words), id: '0'.repeat(32) }),
        () => JSON.parse('{"__proto__":{"polluted":1},"type":"@w3m-app/SIGN_OUT","id":"1"}'),
      ])()
    for (let count = 0; count < 16_000; count++) target?.postMessage(draw(0), '*')
  })
  // A sibling frame, and a frame with an opaque origin, that have a reference to the frame's
  // window.
  await page.evaluate(() => {
    const script =
      'for (let i = 0; i < 2000; i++) { parent.frames[0].postMessage(\'{"latchkey":"hello","id":"' +
      '0'.repeat(32) +
      "\"}', '*'); parent.frames[0].postMessage({ type: '@w3m-app/SIGN_OUT', id: String(i) }, '*') }"
    for (const sandbox of ['allow-scripts', 'allow-scripts allow-same-origin']) {
      const sibling = document.createElement('iframe')
      sibling.setAttribute('sandbox', sandbox)
      sibling.srcdoc = `<script>${script}</script>`
      document.body.append(sibling)
    }
  })
  await page.waitForTimeout(1_000)
  expect(await ask(page, 'APP_GET_CHAIN_ID')).toEqual(before)
  const polluted = await page.frames()[1]?.evaluate(() => 'polluted' in {})
  expect(polluted).toBe(false)
  expect(faults).toEqual([])
})

test('forged answers: the host ignores messages of other windows that pretend to be the frame', async () => {
  const page = await open()
  await page.evaluate(() => {
    const forged = document.createElement('iframe')
    forged.srcdoc = `<script>
      for (const data of [
        { type: '@w3m-frame/GET_USER_SUCCESS', id: '1', payload: { address: '0xdead', chainId: 1 } },
        '{"latchkey":"ready"}',
        '{"kind":"event","sequence":99,"name":"FRAME_EMAIL","data":{"email":"evil@example.org"}}',
      ]) parent.postMessage(data, '*')
    </script>`
    document.body.append(forged)
  })
  await page.waitForTimeout(500)
  expect(await ask(page, 'APP_GET_USER')).toMatchObject({ code: 'SIGNED_OUT' })
  expect(await page.evaluate(() => window.host.events.map(([name]) => name))).toEqual([
    'FRAME_READY',
  ])
})

test('two greetings: of two that greet the first is served, a later one never', async () => {
  context = await frame.newContext()
  const page = await frame.openHost(context)
  const welcomes = await page.evaluate(async (address) => {
    const heard: string[] = []
    const iframe = document.createElement('iframe')
    iframe.src = address
    addEventListener('message', ({ source, data }) => {
      if (source !== iframe.contentWindow || data !== '{"latchkey":"ready"}') return
      for (const name of ['first', 'second', 'third']) {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => heard.push(name)
        const hello = JSON.stringify({ latchkey: 'hello', id: '1'.repeat(32) })
        iframe.contentWindow?.postMessage(hello, new URL(address).origin, [port2])
      }
      // The plain envelope comes too late as well.
      const late = { type: '@w3m-app/IS_CONNECTED', id: 'x' }
      iframe.contentWindow?.postMessage(late, new URL(address).origin)
    })
    addEventListener('message', ({ data }) => {
      if (data?.type?.startsWith('@w3m-frame/IS_')) heard.push('plain')
    })
    document.body.append(iframe)
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    while (heard.length === 0) await pause(50)
    // What must not come has as long again.
    await pause(1_000)
    return [...new Set(heard)]
  }, frame.address)
  expect(welcomes).toEqual(['first'])
})

test('behavior: plain envelope: one answer per id, none for oversized JSON, closed after 20 invalid messages', async () => {
  context = await frame.newContext()
  const page = await frame.openHost(context)
  const heard = await page.evaluate(async (address) => {
    const messages: unknown[] = []
    const iframe = document.createElement('iframe')
    iframe.src = address
    const { origin } = new URL(address)
    addEventListener('message', ({ source, data }) => {
      if (source === iframe.contentWindow && typeof data === 'object') messages.push(data)
    })
    const post = (data: unknown) => iframe.contentWindow?.postMessage(data, origin)
    const until = async (count: number) => {
      for (let turn = 0; turn < 1_200 && messages.length < count; turn++)
        await new Promise((resolve) => setTimeout(resolve, 100))
    }
    document.body.append(iframe)
    await until(1)
    post({ type: '@w3m-app/SYNC_THEME', id: 'a', payload: { themeMode: 'light' } })
    post({ type: '@w3m-app/IS_CONNECTED', id: 'b' })
    post({ type: '@w3m-app/IS_CONNECTED', id: 'b' })
    post({ type: '@w3m-app/SWITCH_NETWORK', id: 'c', payload: { chainId: 31338 } })
    post({ type: '@w3m-app/GET_USER', id: 'd', payload: {} })
    post({ type: '@w3m-app/RPC_REQUEST', id: 'e', payload: { method: 'eth_chainId', params: [] } })
    post({ type: '@w3m-app/RPC_REQUEST', id: 'f', payload: { method: 'eth_sign', params: [] } })
    let deep: unknown = 'x'
    let shared: unknown = 'x'
    for (let level = 0; level < 60; level++) {
      deep = [[deep]]
      shared = [shared, shared]
    }
    for (const [id, params] of Object.entries({ deep, shared }))
      post({ type: '@w3m-app/RPC_REQUEST', id, payload: { method: 'eth_chainId', params } })
    post({ type: '@w3m-app/CONNECT_EMAIL', id: 'g', payload: { email: 5 } })
    await until(8)
    for (let count = 0; count < 20; count++) post({ type: '@w3m-app/NONSENSE', id: `n${count}` })
    await until(23)
    post({ type: '@w3m-app/IS_CONNECTED', id: 'late' })
    await new Promise((resolve) => setTimeout(resolve, 500))
    return messages as { type: string; id?: string }[]
  }, frame.address)
  const byId = Object.fromEntries(heard.map((message) => [message.id ?? '', message]))
  expect(heard.filter(({ id }) => id === 'b')).toHaveLength(1)
  expect(byId).toMatchObject({
    '': { type: '@w3m-frame/READY', payload: { version: '4' } },
    a: { type: '@w3m-frame/SYNC_THEME_SUCCESS' },
    b: { type: '@w3m-frame/IS_CONNECTED_SUCCESS', payload: { isConnected: false } },
    c: { type: '@w3m-frame/SWITCH_NETWORK_SUCCESS', payload: { chainId: 31338 } },
    d: {
      type: '@w3m-frame/GET_USER_ERROR',
      payload: { message: 'You are signed out. Sign in again' },
    },
    e: { type: '@w3m-frame/RPC_REQUEST_SUCCESS', payload: '0x7a6a' },
    f: {
      type: '@w3m-frame/RPC_REQUEST_ERROR',
      payload: { message: 'Requested RPC call is not allowed' },
    },
    g: { type: '@w3m-frame/CONNECT_EMAIL_ERROR' },
  })
  for (const id of ['deep', 'shared', 'late']) expect(byId[id]).toBeUndefined()
})

test('replayed messages: replayed, unknown, oversized and poisoned messages on the port', async () => {
  context = await frame.newContext()
  const page = await frame.openHost(context)
  const result = await page.evaluate(async (address) => {
    const iframe = document.createElement('iframe')
    iframe.src = address
    const heard: { kind: string; id?: string; code?: string }[] = []
    const port = await new Promise<MessagePort>((resolve) => {
      addEventListener('message', ({ source, data }) => {
        if (source !== iframe.contentWindow || data !== '{"latchkey":"ready"}') return
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = (event) => heard.push(JSON.parse(event.data))
        const hello = JSON.stringify({ latchkey: 'hello', id: '1'.repeat(32) })
        iframe.contentWindow?.postMessage(hello, new URL(address).origin, [port2])
        resolve(port1)
      })
      document.body.append(iframe)
    })
    const idOf = (count: number) => count.toString(16).padStart(32, '0')
    let sequence = 0
    const request = (id: number, method: string, params: unknown = {}) =>
      JSON.stringify({ kind: 'request', sequence: ++sequence, id: idOf(id), method, params })
    const wait = (ms = 400) => new Promise((resolve) => setTimeout(resolve, ms))
    const until = async (isSo: () => boolean) => {
      for (let turn = 0; turn < 1_200 && !isSo(); turn++) await wait(100)
    }
    const isHeard = (id: number) => heard.some((one) => one.id === idOf(id))
    const first = request(1, 'APP_GET_CHAIN_ID')
    port.postMessage(first)
    port.postMessage(first)
    port.postMessage(request(2, 'APP_UNKNOWN'))
    port.postMessage(request(3, 'constructor'))
    port.postMessage(
      request(4, 'APP_SYNC_DAPP_DATA').replace('"params":{}', '"params":{"__proto__":{"x":1}}'),
    )
    port.postMessage('x'.repeat(2_097_152))
    port.postMessage({ kind: 'request', sequence: 50, id: idOf(5), method: 'APP_GET_CHAIN_ID' })
    await until(() => [1, 2, 3].every(isHeard))
    await wait()
    // A device that never gets approved stays open: what comes after the most is refused.
    for (let count = 0; count < 100; count++)
      port.postMessage(request(1_000 + count, 'APP_OPEN', { page: 'x' }))
    await until(() => heard.at(-1)?.kind === 'bye')
    const polluted = 'x' in {}
    port.postMessage(request(9, 'APP_GET_CHAIN_ID'))
    await wait()
    return { heard, polluted }
  }, frame.address)
  const answers = (id: number) =>
    result.heard.filter((one) => one.id === id.toString(16).padStart(32, '0'))
  expect(answers(1)).toHaveLength(1)
  expect(answers(2)[0]?.code).toBe('METHOD_NOT_FOUND')
  expect(answers(3)[0]?.code).toBe('METHOD_NOT_FOUND')
  expect(answers(5)).toEqual([])
  expect(result.polluted).toBe(false)
  // Twenty invalid messages end the line.
  expect(result.heard.at(-1)?.kind).toBe('bye')
  expect(answers(9)).toEqual([])
})

test('hostile themes: a theme reaches the page only as checked tokens', async () => {
  const page = await open()
  const themeVariables = {
    '--lk-accent': '#ff8800',
    '--lk-surface': 'url(https://evil.example/x)',
    '--lk-text': 'transparent',
    '--lk-radius': '9999px',
    background: 'red',
  }
  await ask(page, 'APP_SYNC_THEME', { themeMode: 'light', themeVariables })
  const root = inside(page).locator('html')
  expect(await root.getAttribute('style')).toBe('--lk-accent: #ff8800;')
  expect(await root.getAttribute('data-lk-theme')).toBe('light')
})

test('unlisted frames: pages that are not listed, nested ones and unknown projects cannot hold the frame', async () => {
  const evil = await listenAt('http://evil.example/x', listening(frame.address))
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await evil()).toBe(false)
  await context.close()
  // A listed page inside an unlisted page: the outer page could draw over it.
  const listed = `${frame.hostUrl}/listed`
  context = await frame.newContext()
  const outer = 'http://outer.example/x'
  const fulfil = (url: string, body: string) =>
    context.route(url, (route) => route.fulfill({ contentType: 'text/html', body }))
  await fulfil(listed, listening(frame.address))
  await fulfil(outer, `<iframe src="${listed}"></iframe>`)
  const page = await context.newPage()
  await page.goto(outer)
  await page.waitForTimeout(1_500)
  const heard = await page.frames()[1]?.evaluate(() => (window as { heard?: boolean }).heard)
  expect(heard).toBeUndefined()
  await context.close()
  // A listed page that holds it in another page of the same origin.
  const own = `${frame.hostUrl}/outer`
  context = await frame.newContext()
  await fulfil(listed, listening(frame.address))
  await fulfil(own, `<iframe src="${listed}"></iframe>`)
  const nested = await context.newPage()
  await nested.goto(own)
  await nested.waitForTimeout(1_500)
  expect(
    await nested.frames()[1]?.evaluate(() => (window as { heard?: boolean }).heard),
  ).toBeUndefined()
  await context.close()
  // And the way it is meant to be.
  await expect.poll(await listenAt(listed, listening(frame.address))).toBe(true)
})

test('lost storage: without storage a login lasts as long as the page, and no second wallet is made', async () => {
  const email = 'nowhere@example.org'
  context = await frame.newContext()
  // As where third-party storage is blocked: even looking throws, in pages and in workers.
  const broken = `Object.defineProperty(globalThis, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError') } });`
  await context.addInitScript(broken)
  await context.route('**/keyWorker-*.js', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: broken + (await response.text()) })
  })
  const page = await frame.embed(context)
  await logIn(frame, page, email)
  const user = await ask(page, 'APP_GET_USER')
  expect(user.result).toMatchObject({ email })
  await page.reload()
  await page.waitForFunction(() => 'embed' in window)
  await page.evaluate((address) => window.embed(address), frame.address)
  expect(await ask(page, 'APP_IS_CONNECTED')).toEqual({ result: { isConnected: false } })
  expect(await ask(page, 'APP_GET_USER')).toMatchObject({ code: 'SIGNED_OUT' })
})

test('closed pages: a reloaded frame ends each open request with one answer', async () => {
  const page = await open()
  await logIn(frame, page, 'reload@example.org')
  const { address } = (await ask(page, 'APP_GET_USER')).result as { address: string }
  const params = ['0x68656c6c6f', address]
  const open59 = await begin(page, 'APP_RPC_REQUEST', { method: 'personal_sign', params })
  await inside(page).locator('.hold').waitFor()
  await page.evaluate(() => {
    const iframe = document.querySelector('iframe')
    if (iframe) iframe.src = `${iframe.src}`
  })
  expect(await settle(page, open59)).toMatchObject({ code: 'CHANNEL_CLOSED' })
})

test('foreign scripts: nothing foreign runs in the built frame', async () => {
  const page = await open()
  const target = page.frames()[1]
  const outcome = await target?.evaluate(async () => {
    const reports: string[] = []
    document.addEventListener('securitypolicyviolation', (event) =>
      reports.push(event.effectiveDirective),
    )
    const global = globalThis as { ran?: number }
    const attempts: [string, () => unknown][] = [
      [
        'inline',
        () =>
          document.head.append(
            Object.assign(document.createElement('script'), { text: 'globalThis.ran = 1' }),
          ),
      ],
      [
        'remote',
        () =>
          document.head.append(
            Object.assign(document.createElement('script'), { src: 'https://evil.example/x.js' }),
          ),
      ],
      [
        'html',
        () => {
          document.body.innerHTML += '<img src=x onerror="globalThis.ran = 1">'
        },
      ],
      [
        'style',
        () =>
          document.head.append(
            Object.assign(document.createElement('link'), {
              rel: 'stylesheet',
              href: 'https://evil.example/x.css',
            }),
          ),
      ],
      [
        'image',
        () =>
          document.body.append(Object.assign(new Image(), { src: 'https://evil.example/x.png' })),
      ],
      [
        'frame',
        () =>
          document.body.append(
            Object.assign(document.createElement('iframe'), { src: 'https://evil.example/' }),
          ),
      ],
      ['worker', () => new Worker('https://evil.example/w.js')],
      [
        'policy',
        () =>
          (
            globalThis as unknown as {
              trustedTypes: { createPolicy(name: string, rules: object): unknown }
            }
          ).trustedTypes.createPolicy('other', {}),
      ],
    ]
    const refused: string[] = []
    for (const [name, attempt] of attempts) {
      try {
        attempt()
      } catch {
        refused.push(name)
      }
    }
    const fetched = await fetch('https://evil.example/').then(
      () => 'sent',
      () => 'refused',
    )
    const blocked = ['connect-src', 'frame-src', 'img-src', 'style-src-elem']
    const isReported = () => blocked.every((directive) => reports.includes(directive))
    for (let turn = 0; turn < 1_200 && !isReported(); turn++)
      await new Promise((resolve) => setTimeout(resolve, 100))
    // What must not run has as long again.
    await new Promise((resolve) => setTimeout(resolve, 500))
    return { ran: global.ran, refused, reports: [...new Set(reports)].sort(), fetched }
  })
  expect(outcome?.ran).toBeUndefined()
  expect(outcome?.fetched).toBe('refused')
  expect(outcome?.refused).toEqual(expect.arrayContaining(['html', 'worker', 'policy']))
  expect(outcome?.reports).toEqual(
    expect.arrayContaining([
      'connect-src',
      'frame-src',
      'img-src',
      'require-trusted-types-for',
      'style-src-elem',
    ]),
  )
})

test('other origins: the frame sends no request to any other origin', async () => {
  context = await frame.newContext()
  const asked = new Set<string>()
  context.on('request', (request) => asked.add(new URL(request.url()).origin))
  const page = await frame.embed(context)
  // The page of the device link is part of it.
  await logIn(frame, page, 'quiet@example.org', { approve: approveLink })
  await ask(page, 'APP_GET_USER')
  asked.delete('null')
  expect([...asked].sort()).toEqual([frame.hostUrl, frame.frameUrl].sort())
})
