import { describe, expect, test } from 'vitest'
import { alice } from '../../../../test/fakeWallet.ts'
import {
  addressOf,
  connected,
  connectorId,
  evm,
  hasUri,
  join,
  openPage,
  phoneOf,
  request,
  startRelay,
  uriOf,
  useRelay,
  wallet,
} from '../../../../test/pairing.ts'
import { bothChains, createClock, type Phone } from '../../../../test/phone.ts'
import { createBrowser } from '../../../../test/tab.ts'
import { getCapabilities } from '../../../capabilities.ts'
import { openLink } from '../../../directory/openLink.ts'
import { switchNetwork } from '../../../network/switchNetwork.ts'
import { solana } from '../../../networks.ts'
import { signTypedData } from '../../../send/sign.ts'
import { connect } from '../../connect.ts'
import { disconnect } from '../../disconnect.ts'
import { request as appRequest } from '../../requests/request.ts'

useRelay()

describe('requests', () => {
  test('behavior: inside the session to the wallet', async () => {
    const { app, phone } = await connected()
    phone.answers.personal_sign = () => ({ result: '0xsigned' })
    expect(await request(app, 'personal_sign', ['0x00', alice])).toBe('0xsigned')
    expect(phone.requests).toMatchObject([
      { method: 'personal_sign', params: ['0x00', alice], chainId: 'eip155:31337' },
    ])
  })

  test('behavior: outside the session to the public node, not to the wallet', async () => {
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = async (url) => {
      asked.push(String(url))
      return Response.json({ jsonrpc: '2.0', id: 0, result: '0x10' })
    }
    const { app, phone } = await connected({}, { fetch })
    expect(await request(app, 'eth_blockNumber')).toBe('0x10')
    expect(asked).toEqual(['https://latchkey.example/v1/?chainId=eip155%3A31337&projectId=local'])
    expect(phone.requests).toEqual([])
  })

  test('error: parameters with too many levels, or too large, are not sent to the wallet', async () => {
    const { app, phone } = await connected()
    const deep = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`)
    for (const [params, reason] of [
      [deep, 'more than 64 levels of lists and objects'],
      [['x'.repeat(1_100_000), alice], 'more than 1048576 characters'],
    ])
      await expect(request(app, 'personal_sign', params)).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        data: { reason },
      })
    expect(phone.requests).toEqual([])
  })

  test('error: outside the session on a network without a node', async () => {
    const { app } = await connected()
    await expect(request(app, 'eth_blockNumber', [], 'eip155:5')).rejects.toThrow(
      'No RPC url provided for chainId: eip155:5',
    )
  })

  test('error: a namespace that the app has no network of', async () => {
    const { app } = await connected()
    await expect(request(app, 'solana_signMessage', [], solana.caipNetworkId)).rejects.toThrow(
      "Namespace 'solana' is not configured. Please call connect() first with namespace config.",
    )
  })

  test.each([
    ['USER_REJECTED', { code: 4001, message: 'no' }],
    ['USER_REJECTED', { code: 5000, message: 'User rejected.' }],
    ['UNSUPPORTED_METHOD', { code: -32601, message: 'what?' }],
    ['RPC_FAILED', { code: 1, message: 'broken' }],
  ])('error: %s from %o', async (code, error) => {
    const { app, phone } = await connected()
    phone.answers.personal_sign = () => ({ error })
    await expect(request(app, 'personal_sign')).rejects.toMatchObject({ code })
  })

  test('error: no relay for 15 s before it has the request; the connection stays', async () => {
    const relay = await startRelay()
    const clock = createClock()
    const address = addressOf(relay)
    const { app } = openPage(createBrowser(), clock, {
      wallets: { walletConnect: { relayUrl: address } },
    })
    const phone = await phoneOf(address)
    await join(app, phone)
    await relay.stop()
    const outcome = expect(request(app, 'personal_sign')).rejects.toMatchObject({
      code: 'RELAY_UNREACHABLE',
    })
    const timer = setInterval(() => clock.advance(5_000), 100)
    await outcome
    clearInterval(timer)
    expect(evm(app)).toMatchObject({ status: 'connected' })
    expect(phone.requests).toEqual([])
  })

  test('error: before a session', async () => {
    const { app } = openPage()
    await expect(request(app, 'eth_accounts')).rejects.toThrow(
      'Please call connect() before request()',
    )
  })
})

describe('switching', () => {
  test('behavior: an approved chain is switched here, without the wallet', async () => {
    const { app, phone } = await connected()
    await switchNetwork(app, { chainId: 'eip155:31338' })
    expect(evm(app)).toMatchObject({ chainId: 'eip155:31338' })
    expect(phone.requests).toEqual([])
    expect(await request(app, 'eth_chainId')).toBe('0x7a6a')
  })

  const oneChain = (methods: string[]) => ({
    eip155: { accounts: [`eip155:31337:${alice}`], methods, events: [] },
  })

  test('behavior: requests another chain from a wallet that can switch', async () => {
    const { app } = openPage()
    const phone = await phoneOf()
    phone.namespaces = oneChain(['wallet_switchEthereumChain'])
    phone.answers.wallet_switchEthereumChain = () => ({ result: null })
    await join(app, phone)
    await switchNetwork(app, { chainId: 'eip155:31338' })
    expect(phone.requests).toMatchObject([
      { chainId: 'eip155:31337', params: [{ chainId: '0x7a6a' }] },
    ])
    expect(evm(app)).toMatchObject({ chainId: 'eip155:31338', account: { address: alice } })
  })

  test('error: another chain, of a wallet that cannot switch', async () => {
    const { app } = openPage()
    const phone = await phoneOf()
    phone.namespaces = oneChain(['personal_sign'])
    await join(app, phone)
    await expect(switchNetwork(app, { chainId: 'eip155:31338' })).rejects.toThrow(
      "Failed to switch to chain 'eip155:31338'. The chain is not approved or the wallet does not support 'wallet_switchEthereumChain' method.",
    )
    expect(evm(app)).toMatchObject({ chainId: 'eip155:31337' })
  })
})

test('behavior: only what the session approved is offered', async () => {
  const { app } = openPage()
  const chainId = 'eip155:31337'
  expect(getCapabilities(app, { chainId })).toMatchObject({ send: true, signMessage: true })
  const phone = await phoneOf()
  phone.namespaces = {
    eip155: { accounts: [`${chainId}:${alice}`], methods: ['personal_sign'], events: [] },
  }
  await join(app, phone)
  expect(getCapabilities(app, { chainId })).toMatchObject({
    send: false,
    signMessage: true,
    signTypedData: false,
    switchNetwork: true,
  })
  await expect(signTypedData(app, { typedData: {} })).rejects.toThrow('does not support typed data')
  expect(phone.requests).toEqual([])
})

describe('request', () => {
  test('default', async () => {
    const { app, phone } = await connected()
    phone.answers.personal_sign = ({ chainId }) => ({ result: chainId })
    expect(await appRequest(app, { method: 'personal_sign' })).toBe('eip155:31337')
    expect(await appRequest(app, { method: 'personal_sign', chainId: 'eip155:31338' })).toBe(
      'eip155:31338',
    )
  })

  test('error: not connected', async () => {
    const { app } = openPage()
    await expect(appRequest(app, { method: 'eth_accounts' })).rejects.toMatchObject({
      code: 'NOT_CONNECTED',
    })
  })

  test('error: a chain beyond the session, of a method that is the wallet’s', async () => {
    const { app } = await connected()
    await expect(
      appRequest(app, { method: 'personal_sign', chainId: 'eip155:5' }),
    ).rejects.toMatchObject({ code: 'CHAIN_NOT_APPROVED' })
  })
})

describe('calls (EIP-5792)', () => {
  const callMethods = {
    eip155: {
      ...bothChains.eip155,
      methods: ['wallet_sendCalls', 'wallet_getCapabilities'],
    } as never,
  }
  const hash = `0x${'ab'.repeat(32)}`
  const caip345 = { caip2: 'eip155:31337', transactionHashes: [hash] }

  async function joined(fetch?: typeof globalThis.fetch, properties: Phone['properties'] = {}) {
    const { app } = openPage(createBrowser(), fetch ? { fetch } : {})
    const phone = await phoneOf()
    phone.namespaces = callMethods
    phone.properties = properties
    await join(app, phone)
    return { app, phone }
  }

  test('behavior: capabilities are requested once and kept with the session', async () => {
    const { app, phone } = await joined()
    const answer = { '0x7a69': { atomic: { status: 'supported' } } }
    phone.answers.wallet_getCapabilities = () => ({ result: answer })
    expect(await request(app, 'wallet_getCapabilities', [alice])).toEqual(answer)
    expect(await request(app, 'wallet_getCapabilities', [alice])).toEqual(answer)
    expect(phone.requests).toHaveLength(1)
    await request(app, 'wallet_getCapabilities', [alice, ['0x7a69']])
    expect(phone.requests).toHaveLength(2)
    await expect(request(app, 'wallet_getCapabilities', [])).rejects.toThrow(
      'Missing address parameter in wallet_getCapabilities request',
    )
  })

  test('behavior: a batch that tells its transactions is followed on the chain', async () => {
    const { app, phone } = await joined(async () =>
      Response.json({ jsonrpc: '2.0', id: 0, result: { status: '0x1' } }),
    )
    phone.answers.wallet_sendCalls = () => ({ result: { id: 'batch', capabilities: { caip345 } } })
    await request(app, 'wallet_sendCalls', [{ calls: [{ to: '0x01', data: '0x', value: '0x0' }] }])
    expect(await request(app, 'wallet_getCallsStatus', ['batch'])).toMatchObject({
      id: 'batch',
      status: 200,
    })
  })

  test('error: calls without sense do not reach the wallet', async () => {
    const { app, phone } = await joined()
    await expect(
      appRequest(app, { method: 'wallet_sendCalls', params: [{ calls: [{ to: 'somewhere' }] }] }),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    expect(phone.requests).toEqual([])
  })

  test('error: the wallet’s error about a batch keeps its name', async () => {
    const { app, phone } = await joined()
    phone.answers.wallet_sendCalls = () => ({ error: { code: 5740, message: 'too large' } })
    const batch = { calls: [{ to: '0x01', data: '0x', value: '0x0' }] }
    await expect(request(app, 'wallet_sendCalls', [batch])).rejects.toMatchObject({
      code: 'BATCH_TOO_LARGE',
      cause: { code: 5740 },
    })
  })

  test('error: a status that no source can report', async () => {
    const { app } = await joined()
    await expect(request(app, 'wallet_getCallsStatus', ['other'])).rejects.toThrow(
      'Fetching call status not approved by the wallet.',
    )
  })

  test('behavior: the bundler that the session names is queried first', async () => {
    const asked: string[] = []
    const { app } = await joined(
      async (url) => {
        asked.push(String(url))
        const receipt = { status: '0x1' }
        return Response.json({ jsonrpc: '2.0', id: 1, result: { success: true, receipt } })
      },
      { sessionProperties: { bundler_name: 'pimlico' } },
    )
    expect(await request(app, 'wallet_getCallsStatus', ['op'])).toMatchObject({ status: 200 })
    expect(asked).toEqual([
      'https://latchkey.example/v1/bundler?projectId=local&chainId=eip155%3A31337&bundler=pimlico',
    ])
  })

  test('error: a bundler that fails', async () => {
    const { app } = await joined(async () => new Response('', { status: 502 }), {
      sessionProperties: { bundler_name: 'pimlico' },
    })
    await expect(request(app, 'wallet_getCallsStatus', ['op'])).rejects.toThrow(
      'Failed to fetch user operation receipt - 502',
    )
  })
})

describe('the wallet’s link', () => {
  async function linked(properties: Phone['properties'] = {}) {
    const { app, page } = openPage()
    const phone = await phoneOf()
    phone.properties = properties
    phone.answers.personal_sign = () => ({ result: '0x' })
    const connecting = connect(app, { connectorId, wallet })
    await hasUri(app)
    const uri = uriOf(app)
    openLink(app, { link: { href: `trust://wc?uri=${uri}`, base: 'trust://' }, name: 'Trust' })
    await phone.scan(uri)
    await connecting
    page.opened.splice(0)
    return { app, page, phone }
  }

  test('behavior: it brings the wallet to the front for each request', async () => {
    const { app, page, phone } = await linked()
    await request(app, 'personal_sign')
    const [{ id, topic } = { id: 0, topic: '' }] = phone.requests
    expect(page.opened.map(({ url }) => url)).toEqual([
      `trust://wc?requestId=${id}&sessionTopic=${topic}`,
    ])
  })

  test('behavior: not if the wallet does not want it', async () => {
    const { app, page } = await linked({ disableDeepLink: true })
    await request(app, 'personal_sign')
    expect(page.opened).toEqual([])
  })

  test('behavior: not after a disconnect', async () => {
    const { app } = await linked()
    expect(app.storage.get('walletLink')).toEqual({ href: 'trust://', name: 'Trust' })
    await disconnect(app)
    expect(app.storage.get('walletLink')).toBeUndefined()
  })

  test('behavior: not for a wallet that was scanned', async () => {
    const { app, page, phone } = await connected()
    phone.answers.personal_sign = () => ({ result: '0x' })
    await request(app, 'personal_sign')
    expect(page.opened).toEqual([])
  })
})
