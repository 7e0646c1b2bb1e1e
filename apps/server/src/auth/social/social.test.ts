import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeIn, createAuthClient, signIn } from '../../../test/auth/authClient.ts'
import {
  begin,
  choose,
  continueToProvider,
  createWindow,
  finish,
  leave,
  report,
  signInAt,
  startSocialServer,
} from '../../../test/auth/socialBrowser.ts'

let started: Awaited<ReturnType<typeof startSocialServer>>
beforeAll(async () => {
  started = await startSocialServer()
})
afterAll(() => started?.stop())

const providers = ['google', 'x', 'discord', 'github', 'apple', 'facebook']
const newClient = () => createAuthClient(started.server)
const userIdOf = async (provider: string, account: string) => {
  const { status, body, text } = await signInAt(await newClient(), started.server, {
    provider,
    account,
  })
  if (status !== 200) throw new Error(text)
  return body.tokens.userId as string
}

test('default: each provider signs in; the second login finds the same user', async () => {
  const { server } = started
  for (const provider of providers) {
    const client = await newClient()
    const { status, body } = await signInAt(client, server, { provider, account: 'ada' })
    expect([provider, status]).toEqual([provider, 200])
    expect(body.tokens).toMatchObject({ email: null, userName: expect.stringMatching(/ada/i) })
    expect((await client.ask('/api/me')).body.email).toBe(null)
    expect(await userIdOf(provider, 'ada')).toBe(body.tokens.userId)
  }
})

test('two providers: the same email at two providers gives two accounts, apart from the mailbox account', async () => {
  const mailbox = await signIn(await newClient(), started.inbox, 'grace@example.com')
  const google = await userIdOf('google', 'grace')
  const github = await userIdOf('github', 'grace')
  expect(new Set([mailbox.userId, google, github]).size).toBe(3)
})

test('behavior: refused and failed at the provider', async () => {
  const { server } = started
  const client = await newClient()
  for (const [outcome, hash, refused] of [
    ['refuse', '#refused', 'not allowed'],
    ['fail', '#failed', 'failed'],
  ] as const)
    for (const provider of providers) {
      const { tx, window, target } = await leave(client, server, { provider })
      expect(await choose(window, target, { outcome })).toBe(hash)
      expect((await finish(client, tx)).body).toEqual({ refused })
      expect((await finish(client, tx)).code).toBe('LOGIN_ENDED')
    }
})

test('login begun by others: opening the address of another person’s login signs no one in', async () => {
  const { server, time } = started
  const attacker = await newClient()
  const { tx } = (await begin(attacker, server, { provider: 'github' })).body
  const victim = createWindow()
  const start = () => continueToProvider(victim, server)
  expect(await start()).toBe(`${server.frameUrl}/social#ended`)
  const { challenge } = await report(victim, server, { tx })
  // Even if the victim continues and signs in, only a frame that holds the challenge and the key of
  // the login would get the session.
  const target = new URL(await start())
  expect(await choose(victim, target, { account: 'victim' })).toBe('#done')
  const waiting = finish(attacker, tx)
  // The victim's own frame does not own it; the attacker's never sees the challenge.
  const victimFrame = await newClient()
  expect((await victimFrame.call('/api/social/confirm', { tx, challenge })).code).toBe(
    'LOGIN_ENDED',
  )
  const guess = 'A'.repeat(43)
  const guessed = await attacker.call('/api/social/confirm', { tx, challenge: guess })
  expect(guessed.code).toBe('LOGIN_ENDED')
  expect((await report(createWindow(), server, { tx })).status).toBe(410)
  expect(await start()).toBe(`${server.frameUrl}/social#ended`)
  time.nowMs += 15 * 60_000
  expect((await waiting).code).toBe('LOGIN_ENDED')
})

test('behavior: a login is confirmed after the provider if its window cannot reach the frame', async () => {
  const { server } = started
  const client = await newClient()
  for (const [form, body] of [
    [{ account: 'returned' }, { tokens: expect.objectContaining({ userName: 'returned' }) }],
    [{ outcome: 'refuse' }, { refused: 'not allowed' }],
  ] as const) {
    const { tx } = (await begin(client, server, { provider: 'github' })).body
    const window = createWindow()
    const { challenge } = await report(window, server, { tx })
    await choose(window, new URL(await continueToProvider(window, server)), form)
    // The provider's answer, even a refusal, is reported to no one before that.
    const waiting = finish(client, tx)
    const first = await Promise.race([
      waiting,
      client.ask('/api/nonce').then(() => 'still waiting'),
    ])
    expect(first).toBe('still waiting')
    expect((await client.call('/api/social/confirm', { tx, challenge })).status).toBe(200)
    expect((await waiting).body).toMatchObject(body)
  }
})

test("login begun by others: a login's provider URL ends in a browser without the login's cookie", async () => {
  const { server } = started
  const attacker = await newClient()
  const { tx, window, target } = await leave(attacker, server, { provider: 'github' })
  const victim = createWindow()
  expect(await choose(victim, target, { account: 'victim' })).toBe('#ended')
  expect(await choose(window, target, { outcome: 'refuse' })).toBe('#refused')
  expect((await finish(attacker, tx)).body).toEqual({ refused: 'not allowed' })
})

test('replayed login: a code counts once, and a handle is worth nothing to another device key', async () => {
  const { server } = started
  const client = await newClient()
  const { tx, window, target } = await leave(client, server, { provider: 'github' })
  const page = new URL((await window.go(target.href)).headers.get('location') ?? '', target).href
  const body = new URLSearchParams({ account: 'replayed' })
  const chosen = await window.go(page, { method: 'POST', body })
  const back = await window.go(chosen.headers.get('location') ?? '')
  const callback = back.headers.get('location') ?? ''
  const cookies = new Map(window.jars.get(new URL(server.frameUrl).host))
  const locationOf = async () => (await window.go(callback)).headers.get('location')
  expect(await locationOf()).toBe(`${server.frameUrl}/social#done`)
  window.jars.set(new URL(server.frameUrl).host, cookies)
  expect(await locationOf()).toBe(`${server.frameUrl}/social#ended`)
  const thief = await newClient()
  expect((await finish(thief, tx)).code).toBe('LOGIN_ENDED')
  expect((await finish(client, tx)).status).toBe(200)
  expect((await finish(client, tx)).code).toBe('LOGIN_ENDED')
})

test('Apple’s form: Apple’s form counts only from Apple’s page, in the window of the login', async () => {
  const { server, identity } = started
  const client = await newClient()
  const { tx, window, target } = await leave(client, server, { provider: 'apple' })
  const state = target.searchParams.get('state') ?? ''
  const post = async (at: ReturnType<typeof createWindow>, origin: string | undefined) => {
    const body = new URLSearchParams({ state, code: 'stolen' })
    const headers = origin === undefined ? {} : { origin }
    const url = `${server.frameUrl}/oauth/callback/apple`
    return (await at.go(url, { method: 'POST', body, headers })).headers.get('location')
  }
  const ended = `${server.frameUrl}/social#ended`
  for (const origin of ['https://evil.example', 'null', server.frameUrl, undefined])
    expect(await post(window, origin)).toBe(ended)
  expect(await post(createWindow(), identity.url)).toBe(ended)
  const got = await window.go(`${server.frameUrl}/oauth/callback/apple?state=${state}&code=stolen`)
  expect(got.headers.get('location')).toBe(ended)
  expect(await choose(window, target, { account: 'ada' })).toBe('#done')
  expect((await finish(client, tx)).status).toBe(200)
})

test('behavior: linking needs a code, the identity signs in then, and unlinking leaves the last way', async () => {
  const { server, inbox, time } = started
  const client = await newClient()
  const { userId } = await signIn(client, inbox, 'linker@example.com')
  const confirm = async (action: string) => {
    time.nowMs += 31_000
    const { tx } = (
      await client.call(
        '/api/login',
        { projectId: 'local', origin: server.url, purpose: 'step-up', action },
        { token: client.state.tokens?.accessToken },
      )
    ).body
    const code = codeIn(inbox, 'linker@example.com')
    client.state.tokens = (await client.ask('/api/login/verify', { tx, code })).body
  }
  const link = { provider: 'discord', purpose: 'link' }
  expect((await begin(client, server, link)).code).toBe('STEP_UP_NEEDED')
  await confirm('link discord')
  expect(inbox.mails[0]?.text).toContain('Add a sign-in at Discord to your account.')
  expect((await begin(client, server, { ...link, provider: 'google' })).code).toBe('STEP_UP_NEEDED')
  const { tx, window, target } = await leave(client, server, link)
  expect(await choose(window, target, { account: 'linked' })).toBe('#done')
  client.state.tokens = (await finish(client, tx)).body.tokens
  expect(await userIdOf('discord', 'linked')).toBe(userId)

  const other = await userIdOf('discord', 'taken')
  const again = await leave(client, server, link)
  expect(await choose(again.window, again.target, { account: 'taken' })).toBe('#done')
  expect((await finish(client, again.tx)).body).toEqual({ refused: 'in use' })
  expect(await userIdOf('discord', 'taken')).toBe(other)

  const { identities, providers } = (await client.ask('/api/identities')).body
  expect(providers).toHaveLength(6)
  expect(identities).toMatchObject([{ provider: 'discord', name: 'linked' }])
  const { id } = identities[0]
  expect((await client.ask('/api/identities/unlink', { id })).code).toBe('STEP_UP_NEEDED')
  await confirm('unlink discord')
  const stranger = await newClient()
  await signInAt(stranger, server, { provider: 'google', account: 'stranger' })
  expect((await stranger.ask('/api/identities/unlink', { id })).code).toBe('VAULT_NOT_FOUND')
  expect((await client.ask('/api/identities/unlink', { id })).status).toBe(200)
  const { entries } = (await client.ask('/api/audit')).body
  expect(entries).toMatchObject([
    { action: 'sign-in removed', detail: { provider: 'discord' } },
    { action: 'sign-in added', detail: { provider: 'discord' } },
  ])
  expect(await userIdOf('discord', 'linked')).not.toBe(userId)
})

test('behavior: a sign-in with each provider is added, finds its user, and is removed', async () => {
  const { server } = started
  for (const [index, provider] of providers.entries()) {
    const first = providers.at(index - 1) ?? ''
    const client = await newClient()
    const owner = { provider: first, account: `owner-of-${provider}` }
    const { userId } = (await signInAt(client, server, owner)).body.tokens
    const goThrough = async (body: Parameters<typeof leave>[2], account: string) => {
      const { tx, window, target } = await leave(client, server, body)
      expect(await choose(window, target, { account })).toBe('#done')
      client.state.tokens = (await finish(client, tx)).body.tokens
    }
    const confirm = (action: string) =>
      goThrough({ provider: first, purpose: 'step-up', action }, owner.account)
    await confirm(`link ${provider}`)
    await goThrough({ provider, purpose: 'link' }, 'added-later')
    expect([provider, await userIdOf(provider, 'added-later')]).toEqual([provider, userId])
    const { identities } = (await client.ask('/api/identities')).body
    const { id } = identities.find((one: { provider: string }) => one.provider === provider)
    await confirm(`unlink ${provider}`)
    expect((await client.ask('/api/identities/unlink', { id })).status).toBe(200)
    expect(await userIdOf(provider, 'added-later')).not.toBe(userId)
  }
})

test('behavior: an account without a mailbox confirms at its provider, and has no codes by mail', async () => {
  const { server } = started
  const client = await newClient()
  await signInAt(client, server, { provider: 'github', account: 'mailless' })
  const token = client.state.tokens?.accessToken
  const where = { projectId: 'local', origin: server.url }
  for (const body of [{ purpose: 'step-up', action: 'delete' }, { purpose: 'recovery' }])
    expect((await client.call('/api/login', { ...where, ...body }, { token })).code).toBe(
      'INVALID_PARAMS',
    )
  const stepUp = { provider: 'github', purpose: 'step-up', action: 'unlink github' }
  const wrong = await leave(client, server, stepUp)
  await choose(wrong.window, wrong.target, { account: 'somebody-else' })
  expect((await finish(client, wrong.tx)).body).toEqual({ refused: 'other account' })
  const right = await leave(client, server, stepUp)
  await choose(right.window, right.target, { account: 'mailless' })
  client.state.tokens = (await finish(client, right.tx)).body.tokens
  const [{ id }] = (await client.ask('/api/identities')).body.identities
  expect((await client.ask('/api/identities/unlink', { id })).code).toBe('INVALID_PARAMS')
})

test('param: limits, provider, action and origin', async () => {
  const { server, time } = started
  const client = await newClient()
  const code = async (body: object) => (await begin(client, server, body)).code
  expect(await code({ provider: 'myspace' })).toBe('INVALID_PARAMS')
  expect(await code({ provider: 'google', action: 'delete' })).toBe('INVALID_PARAMS')
  expect(await code({ provider: 'google', origin: 'https://evil.example' })).toBe(
    'ORIGIN_NOT_ALLOWED',
  )
  expect(await code({ provider: 'google', purpose: 'link' })).toBe('SIGNED_OUT')
  for (let count = 0; count < 20; count++)
    expect(await code({ provider: 'google' })).toBe(undefined)
  expect(await code({ provider: 'google' })).toBe('LOGIN_THROTTLED')
  time.nowMs += 3_600_000
  expect(await code({ provider: 'google' })).toBe(undefined)
})
