import { createServer } from 'node:http'
import type { ChainId } from '@latchkey/wire'
import { expect, onTestFinished, test } from 'vitest'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { faucetRoutes } from './routes.ts'

const chainId: ChainId = 'eip155:31337'
const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const accounts = [1, 2, 3, 4, 5, 6].map((digit) => `${chainId}:0x${String(digit).repeat(40)}`)

/** A faucet on this machine, with the bodies that it received. */
async function startFaucet(status = 204) {
  const bodies: unknown[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    bodies.push(JSON.parse(text))
    response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('secret of the faucet')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}/pay`, bodies }
}

function open(url: string | undefined, { testnet = true } = {}) {
  const state = { nowMs: 1_000_000 }
  const chain = { ...chainWith([]), testnet, ...(url !== undefined && { faucet: { url } }) }
  const app = faucetRoutes(makeServices({ [chainId]: chain }, () => state.nowMs))
  const ask = async (account: string) => {
    const body = JSON.stringify({ account })
    const response = await app.request('/v1/faucet?projectId=local', { method: 'POST', body })
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      text: await response.text(),
    }
  }
  return { ask, state }
}

test('default: the faucet gets a request to pay the address', async () => {
  const { url, bodies } = await startFaucet()
  const { ask } = open(url)
  expect(await ask(`${chainId}:${alice}`)).toMatchObject({
    status: 200,
    text: '{"status":"SUCCESS"}',
  })
  expect(bodies).toEqual([{ address: alice }])
})

test('behavior: an account is paid once a minute, however its address is written', async () => {
  const { url, bodies } = await startFaucet()
  const { ask, state } = open(url)
  await ask(`${chainId}:${alice}`)
  expect(await ask(`${chainId}:${alice.toLowerCase()}`)).toMatchObject({
    status: 429,
    retryAfter: '60',
  })
  state.nowMs += 61_000
  expect((await ask(`${chainId}:${alice}`)).status).toBe(200)
  expect(bodies).toHaveLength(2)
})

test('behavior: one client cannot empty the faucet with many accounts', async () => {
  const { url, bodies } = await startFaucet()
  const { ask } = open(url)
  const statuses = []
  for (const account of accounts) statuses.push((await ask(account)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  expect(bodies).toHaveLength(5)
})

test.each([500, 302])(
  'error: a faucet that answers %i is 503, and nothing it says is passed on',
  async (status) => {
    const { url } = await startFaucet(status)
    const { ask } = open(url)
    const answer = await ask(`${chainId}:${alice}`)
    expect(answer).toMatchObject({ status: 503, retryAfter: '60' })
    expect(answer.text).not.toContain('secret')
  },
)

test('error: a faucet that cannot be reached is 503', async () => {
  expect((await open('http://127.0.0.1:1/').ask(`${chainId}:${alice}`)).status).toBe(503)
})

test('error: a network without a faucet, or whose money has a value, causes no payment', async () => {
  const { url, bodies } = await startFaucet()
  const account = `${chainId}:${alice}`
  expect((await open(undefined).ask(account)).status).toBe(400)
  expect((await open(url, { testnet: false }).ask(account)).status).toBe(400)
  expect(bodies).toEqual([])
})

test.each([
  alice,
  `eip155:5:${alice}`,
  `${chainId}:0x12`,
  `${chainId}:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp5eykt4UsFv8P`,
  '',
  ':',
])('error: the account %j is 400', async (account) => {
  const { url, bodies } = await startFaucet()
  const answer = await open(url).ask(account)
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('"field":"account"')
  expect(bodies).toEqual([])
})
