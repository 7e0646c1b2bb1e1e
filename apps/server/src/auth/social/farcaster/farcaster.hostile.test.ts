import { createServer } from 'node:http'
import { type Chains, freePort, startChains } from '@latchkey/dev'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type AuthClient,
  codeIn,
  createAuthClient,
  signIn,
} from '../../../../test/auth/authClient.ts'
import { begin, finish, writeSocials } from '../../../../test/auth/socialBrowser.ts'
import { type AuthServer, startAuthServer } from '../../../../test/auth/startAuthServer.ts'

type Channel = { siweUri: string; domain: string; nonce: string; expirationTime: string }
type Lies = {
  /** Responses that replace the correct ones. */
  opened?: object
  status?: (token: string) => object | number
}

let chains: Chains
let started: AuthServer
let relay: Awaited<ReturnType<typeof startRelay>>

/** A relay that stores its requests, and lies if the test requests it. */
async function startRelay() {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const channels = new Map<string, Channel>()
  const answers = new Map<string, object>()
  const lies: Lies = {}
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const send = (body: object | number) =>
      typeof body === 'number'
        ? response.writeHead(body).end()
        : response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method === 'POST') {
      const channelToken = `token${channels.size}`
      const channel = JSON.parse(text) as Channel
      channels.set(channelToken, channel)
      const { nonce } = channel
      return send({
        channelToken,
        url: `${url}/~/siwf?channelToken=${channelToken}`,
        nonce,
        ...lies.opened,
      })
    }
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (lies.status) return send(lies.status(token))
    return send(answers.get(token) ?? { state: 'pending' })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url,
    channels,
    answers,
    lies,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

beforeAll(async () => {
  const [running, playing] = await Promise.all([startChains({ ports: 'free' }), startRelay()])
  chains = running
  relay = playing
  const registry = chains.addresses['eip155:31337'].farcaster
  const farcaster = {
    rpcUrl: chains.urls['eip155:31337'],
    relayUrl: relay.url,
    appUrl: relay.url,
    idRegistry: registry,
    keyRegistry: registry,
  }
  started = await startAuthServer({ SOCIALS_FILE: writeSocials({ farcaster }) })
})
afterAll(async () => {
  await started?.stop()
  await relay?.stop()
  await chains?.stop()
})
beforeEach(() => {
  relay.lies.opened = {}
  delete relay.lies.status
})

type Signed = {
  /**
   * Place of the account that signs: 0 to 2 have the fids 1 to 3, 3 is an auth address of fid 1, 4
   * was one.
   */
  readonly by?: number
  readonly fid?: number | string
  readonly change?: (channel: Channel) => Partial<Channel>
  /** Changes the lines that are signed. */
  readonly edit?: (text: string) => string
}

async function signFor(channel: Channel, { by = 0, fid = 1, change, edit }: Signed = {}) {
  const signer = chains.accounts[by]
  if (!signer) throw new Error('no account')
  const account = privateKeyToAccount(signer.privateKey)
  const { domain, siweUri, nonce, expirationTime } = { ...channel, ...change?.(channel) }
  const text = [
    `${domain} wants you to sign in with your Ethereum account:`,
    account.address,
    '',
    'Farcaster Auth',
    '',
    `URI: ${siweUri}`,
    'Version: 1',
    'Chain ID: 10',
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(started.time.nowMs).toISOString()}`,
    `Expiration Time: ${expirationTime}`,
    'Resources:',
    `- farcaster://fid/${fid}`,
  ].join('\n')
  const message = edit?.(text) ?? text
  return { message, signature: await account.signMessage({ message }) }
}

type Opening = { client?: AuthClient; purpose?: string; action?: string }

/** Begins a login, or another `purpose`. Returns its channel at the relay. */
async function open({ client, ...more }: Opening = {}) {
  client ??= await createAuthClient(started.server)
  const asked = { provider: 'farcaster', ...more }
  const { status, body, code } = await begin(client, started.server, asked)
  if (status !== 200) throw new Error(code)
  const token = new URL(body.url).searchParams.get('channelToken') ?? ''
  const channel = relay.channels.get(token)
  if (!channel) throw new Error('no channel')
  return { client, tx: body.tx as string, token, channel }
}

/** Begins, signs, and asks for the outcome. */
async function goThrough(opening: Opening, signed: Signed = {}, more: object = {}) {
  const { client, tx, token, channel } = await open(opening)
  relay.answers.set(token, { state: 'completed', ...(await signFor(channel, signed)), ...more })
  return finish(client, tx)
}

/** A whole login: the user's id, or how it ends. */
async function logIn(signed: Signed = {}, more: object = {}) {
  const { body, code } = await goThrough({}, signed, more)
  return code ?? body.refused ?? (body.tokens.userId as string)
}

test('Farcaster: custody and auth address of a fid sign in as the same user, another fid as another user', async () => {
  const { domain, siweUri, nonce } = (await open()).channel
  const frame = new URL(started.server.frameUrl)
  expect([domain, siweUri]).toEqual([frame.host, `${frame.origin}/`])
  expect(nonce).toMatch(/^[0-9a-f]{32}$/)
  const ada = await logIn()
  expect(ada).toMatch(/^[0-9a-f-]{36}$/)
  expect(await logIn()).toBe(ada)
  expect(await logIn({ by: 3 })).toBe(ada)
  expect(await logIn({ by: 1, fid: 2 })).not.toBe(ada)
})

test('Farcaster: wrong domain, address, nonce, time, form', async () => {
  const wrong: Record<string, Signed> = {
    domain: { change: () => ({ domain: 'evil.example' }) },
    'longer domain': { change: ({ domain }) => ({ domain: `${domain}.evil.example` }) },
    uri: { change: () => ({ siweUri: 'https://evil.example/' }) },
    nonce: { change: () => ({ nonce: 'a'.repeat(32) }) },
    expired: { change: () => ({ expirationTime: new Date(started.time.nowMs - 1).toISOString() }) },
    'no time': { change: () => ({ expirationTime: 'soon' }) },
    'chain id': { edit: (text) => text.replace('Chain ID: 10', 'Chain ID: 1') },
    statement: { edit: (text) => text.replace('Farcaster Auth', 'Sign in') },
    'no fid': { edit: (text) => text.replace('farcaster://fid/1', 'https://fid/1') },
    'two fids': { edit: (text) => `${text}\n- farcaster://fid/2` },
    'odd fid': { fid: '01' },
    later: {
      edit: (text) =>
        text.replace(
          '\nResources',
          `\nNot Before: ${new Date(started.time.nowMs + 60_000).toISOString()}\nResources`,
        ),
    },
    'more lines': { edit: (text) => `${text}\n\nevil` },
    'other message': { edit: () => 'hello' },
  }
  const outcomes: Record<string, unknown> = {}
  for (const [name, signed] of Object.entries(wrong)) outcomes[name] = await logIn(signed)
  expect(outcomes).toEqual(Object.fromEntries(Object.keys(wrong).map((name) => [name, 'failed'])))
})

test('Farcaster: a fid that is not the signer’s, an auth address of another fid, a removed auth address', async () => {
  expect(await logIn({ by: 0, fid: 2 })).toBe('failed')
  expect(await logIn({ by: 3, fid: 2 })).toBe('failed')
  expect(await logIn({ by: 4, fid: 1 })).toBe('failed')
  expect(await logIn({ by: 6, fid: 1 })).toBe('failed')
})

test('Farcaster: a replay: what was signed for one login is worth nothing in another, or twice', async () => {
  const first = await open()
  const signed = { state: 'completed', ...(await signFor(first.channel)) }
  const second = await open()
  // The relay answers with another channel.
  relay.answers.set(second.token, signed)
  expect((await finish(second.client, second.tx)).body).toEqual({ refused: 'failed' })
  relay.answers.set(first.token, signed)
  const thief = await createAuthClient(started.server)
  expect((await finish(thief, first.tx)).code).toBe('LOGIN_ENDED')
  expect((await finish(first.client, first.tx)).body.tokens).toBeDefined()
  expect((await finish(first.client, first.tx)).code).toBe('LOGIN_ENDED')
})

test('Farcaster: a relay that lies in every field gains nothing but the name that it says', async () => {
  const lies = {
    fid: 2,
    custody: chains.accounts[1]?.address,
    verifications: [chains.accounts[1]?.address],
    authMethod: 'custody',
    nonce: 'b'.repeat(32),
    username: 'vitalik',
    metadata: { ip: 'x' },
  }
  const ada = await logIn()
  expect(await logIn({}, lies)).toBe(ada)
  const { client, tx, token, channel } = await open()
  relay.answers.set(token, { state: 'completed', ...(await signFor(channel)), ...lies })
  expect((await finish(client, tx)).body.tokens.userName).toBe('vitalik (fid 1)')
  const { signature } = await signFor(channel, { by: 1, fid: 2 })
  expect(await logIn({}, { signature })).toBe('failed')
  for (const status of [
    {},
    { state: 'completed' },
    { state: 'completed', message: 'x', signature: '0x' },
    { state: 'completed', message: 7, signature: {} },
    [],
  ]) {
    relay.lies.status = () => status
    expect(await logIn()).toBe('failed')
  }
  // The request is gone, because the user declined it or did not answer in time.
  for (const status of [401, 404]) {
    relay.lies.status = () => status
    expect(await logIn()).toBe('not allowed')
  }
})

test('Farcaster: an address that does not lead to this very request at Farcaster is not shown', async () => {
  const opened = { channelToken: 'mine', nonce: 'x' }
  for (const lie of [
    { url: 'https://evil.example/~/siwf?channelToken=mine', channelToken: 'mine' },
    { url: `${relay.url}/~/siwf?channelToken=another`, channelToken: 'mine' },
    { url: `javascript:alert(1)//?channelToken=mine`, channelToken: 'mine' },
    { ...opened, url: `${relay.url}/~/siwf?channelToken=mine` },
    { nonce: 'c'.repeat(32) },
  ]) {
    relay.lies.opened = lie
    const client = await createAuthClient(started.server)
    const { code } = await begin(client, started.server, { provider: 'farcaster' })
    expect(code).toBe('OUTBOUND_FAILED')
  }
})

test('behavior: Farcaster is added to an account, finds its user, confirms a change, and is removed', async () => {
  const { server, inbox, time } = started
  const client = await createAuthClient(server)
  const { userId } = await signIn(client, inbox, 'caster@example.com')
  const keep = async (reply: ReturnType<typeof finish>) => {
    client.state.tokens = (await reply).body.tokens
  }
  const confirm = async (action: string) => {
    time.nowMs += 31_000
    const asked = { projectId: 'local', origin: server.url, purpose: 'step-up', action }
    const token = client.state.tokens?.accessToken
    const { tx } = (await client.call('/api/login', asked, { token })).body
    const code = codeIn(inbox, 'caster@example.com')
    client.state.tokens = (await client.ask('/api/login/verify', { tx, code })).body
  }
  const own: Signed = { by: 2, fid: 3 }
  await confirm('link farcaster')
  await keep(goThrough({ client, purpose: 'link' }, own))
  expect(await logIn(own)).toBe(userId)
  const [{ id }] = (await client.ask('/api/identities')).body.identities
  expect((await client.ask('/api/identities/unlink', { id })).code).toBe('STEP_UP_NEEDED')
  await keep(goThrough({ client, purpose: 'step-up', action: 'unlink farcaster' }, own))
  expect((await client.ask('/api/identities/unlink', { id })).status).toBe(200)
  expect(await logIn(own)).not.toBe(userId)
})

test('behavior: polling continues after a relay was unreachable', async () => {
  const { client, tx, token, channel } = await open()
  relay.answers.set(token, { state: 'completed', ...(await signFor(channel)) })
  const asked: string[] = []
  relay.lies.status = () => {
    asked.push(token)
    if (asked.length > 1) delete relay.lies.status
    return 503
  }
  expect((await finish(client, tx)).body.tokens).toBeDefined()
  expect(asked).toHaveLength(2)
})

test('param: no window goes to Farcaster, and no answer comes back from it', async () => {
  const { tx } = await open()
  const headers = { origin: started.server.frameUrl, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify({ tx }) }
  const response = await fetch(`${started.server.frameUrl}/api/social/open`, init)
  expect(response.status).toBe(410)
  const back = await fetch(`${started.server.frameUrl}/oauth/callback/farcaster?code=x`, {
    redirect: 'manual',
  })
  expect(back.headers.get('location')).toBe(`${started.server.frameUrl}/social#ended`)
})
