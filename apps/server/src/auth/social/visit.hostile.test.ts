import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthClient } from '../../../test/auth/authClient.ts'
import { createAuthClient } from '../../../test/auth/authClient.ts'
import {
  begin,
  choose,
  continueToProvider,
  createWindow,
  finish,
  report,
  signInAt,
  startSocialServer,
} from '../../../test/auth/socialBrowser.ts'

let started: Awaited<ReturnType<typeof startSocialServer>>
beforeAll(async () => {
  started = await startSocialServer()
})
afterAll(() => started?.stop())

const stepUp = { provider: 'github', purpose: 'step-up', action: 'unlink github' }
const ended = () => `${started.server.frameUrl}/social#ended`

async function openAccount(account: string): Promise<AuthClient> {
  const client = await createAuthClient(started.server)
  await signInAt(client, started.server, { provider: 'github', account })
  return client
}

/** A confirmation that was begun, and its window, which has reported and can continue. */
async function openWindow(client: AuthClient, body: object = stepUp) {
  const { server } = started
  const { tx } = (await begin(client, server, body)).body as { tx: string }
  const window = createWindow()
  const { challenge } = await report(window, server, { tx, page: 'visit' })
  const leaving = continueToProvider(window, server)
  const confirm = (by: AuthClient, told = challenge) =>
    by.call('/api/social/confirm', { tx, challenge: told })
  return { tx, window, challenge, leaving, confirm }
}

/** Whether something still waits after another call was answered. */
async function waits(promise: Promise<unknown>, client: AuthClient): Promise<boolean> {
  const answered = client.ask('/api/nonce').then(() => 'still waiting')
  return (await Promise.race([promise, answered])) === 'still waiting'
}

test('login begun by others: only a window that our own page opened goes to a provider', async () => {
  const { frameUrl } = started.server
  const open = (site: string | undefined) =>
    fetch(`${frameUrl}/visit?theme=dark`, {
      headers: site === undefined ? {} : { 'sec-fetch-site': site },
      redirect: 'manual',
    })
  // Another page, another page of the same site, a link in a mail or an app, and a browser that
  // does not say.
  for (const site of ['cross-site', 'same-site', 'none', '', 'same-origin, none', undefined]) {
    const response = await open(site)
    expect([site, response.status, response.headers.get('location')]).toEqual([site, 303, ended()])
    expect(response.headers.get('cache-control')).toBe('no-store')
  }
  const own = await open('same-origin')
  expect(own.headers.get('location')).toBe(null)
  // A page that the browser had kept would open anywhere.
  expect(own.headers.get('cache-control')).toBe('no-store')
  for (const path of ['/visit.html', '/visit/', '/VISIT', '//visit'])
    expect([path, (await fetch(`${frameUrl}${path}`, { redirect: 'manual' })).status]).toEqual([
      path,
      404,
    ])
})

test('login begun by others: the window of a confirmation waits until the frame that began it has met it', async () => {
  const { server } = started
  const client = await openAccount('owner')
  const { tx, window, leaving, confirm } = await openWindow(client)
  expect(await waits(leaving, client)).toBe(true)
  // Another device key, and the challenge of another window.
  const stranger = await openAccount('stranger')
  expect((await confirm(stranger)).code).toBe('LOGIN_ENDED')
  expect((await confirm(client, 'A'.repeat(43))).code).toBe('LOGIN_ENDED')
  expect(await waits(leaving, client)).toBe(true)
  expect((await confirm(client)).status).toBe(200)
  // An answer that arrives twice.
  expect((await confirm(client)).code).toBe('LOGIN_ENDED')
  expect(await choose(window, new URL(await leaving), { account: 'owner' })).toBe('#done')
  expect((await finish(client, tx)).status).toBe(200)
  expect(await continueToProvider(window, server)).toBe(ended())
})

test('login begun by others: a window that its frame never meets does not continue', async () => {
  const client = await openAccount('alone')
  const { leaving } = await openWindow(client)
  expect(await waits(leaving, client)).toBe(true)
  started.time.nowMs += 15 * 60_000
  expect(await leaving).toBe(ended())
})

test('login begun by others: of two logins of one user, a challenge lets only its own window continue', async () => {
  const client = await openAccount('twice')
  const one = await openWindow(client)
  const other = await openWindow(client, { ...stepUp, action: 'delete' })
  expect((await one.confirm(client, other.challenge)).code).toBe('LOGIN_ENDED')
  expect((await other.confirm(client, one.challenge)).code).toBe('LOGIN_ENDED')
  expect(await waits(one.leaving, client)).toBe(true)
  expect((await other.confirm(client)).status).toBe(200)
  await choose(other.window, new URL(await other.leaving), { account: 'twice' })
  // The other window's confirmation does not apply to this window.
  client.state.tokens = (await finish(client, other.tx)).body.tokens
  expect((await client.ask('/api/me', { action: 'delete' })).body.stepUpSeconds).toBeGreaterThan(0)
  expect((await client.ask('/api/me', { action: 'unlink github' })).body.stepUpSeconds).toBe(0)
  expect(await waits(one.leaving, client)).toBe(true)
  started.time.nowMs += 15 * 60_000
  expect(await one.leaving).toBe(ended())
})

test('login begun by others: the window of one user, met by the frame of another: neither gets anything', async () => {
  const victim = await openAccount('victim')
  const attacker = await openAccount('attacker')
  const opened = await openWindow(attacker)
  // The attacker's window is the victim's browser, in which the victim signs in: that is not the
  // attacker's account.
  expect((await opened.confirm(victim)).code).toBe('LOGIN_ENDED')
  expect((await opened.confirm(attacker)).status).toBe(200)
  await choose(opened.window, new URL(await opened.leaving), { account: 'victim' })
  expect((await finish(victim, opened.tx)).code).toBe('LOGIN_ENDED')
  expect((await finish(attacker, opened.tx)).body).toEqual({ refused: 'other account' })
  const { stepUpSeconds } = (await attacker.ask('/api/me', { action: 'unlink github' })).body
  expect(stepUpSeconds).toBe(0)
})

/** A login of each purpose that is more than a sign-in, each begun in its own session. */
async function beginEach() {
  const { server } = started
  const account = `linker-${crypto.randomUUID().slice(0, 8)}`
  const linker = await openAccount(account)
  const linked = await openWindow(linker, { ...stepUp, action: 'link discord' })
  expect((await linked.confirm(linker)).status).toBe(200)
  await choose(linked.window, new URL(await linked.leaving), { account })
  linker.state.tokens = (await finish(linker, linked.tx)).body.tokens
  const each = [
    { client: linker, body: { provider: 'discord', purpose: 'link' } },
    { client: linker, body: stepUp },
    { client: await createAuthClient(server), body: { provider: 'github', action: 'export' } },
  ]
  return Promise.all(
    each.map(async ({ client, body }) => {
      const { tx } = (await begin(client, server, body)).body as { tx: string }
      return { client, tx, purpose: JSON.stringify(body) }
    }),
  )
}

test('login begun by others: the public page begins only sign-ins, and gets no other challenge', async () => {
  const { server } = started
  for (const { client, tx, purpose } of await beginEach()) {
    const victim = createWindow()
    for (const page of [{ page: 'social' } as const, {}])
      expect([purpose, await report(victim, server, { tx, ...page })]).toEqual([
        purpose,
        { status: 410, challenge: '' },
      ])
    // No cookie either: the window cannot continue, independent of the page that opened it.
    expect(victim.jars.get(new URL(server.frameUrl).host)?.size).toBe(0)
    expect(await continueToProvider(victim, server)).toBe(ended())
    // The window of the frame that began it is not disturbed.
    const own = createWindow()
    const { challenge } = await report(own, server, { tx, page: 'visit' })
    expect((await client.call('/api/social/confirm', { tx, challenge })).status).toBe(200)
    expect(await continueToProvider(own, server)).toContain(started.identity.url)
  }
})

test('login begun by others: a window that another page navigates confirms nothing at a provider', async () => {
  const { server } = started
  for (const { client, tx, purpose } of await beginEach()) {
    const window = createWindow()
    const { challenge } = await report(window, server, { tx, page: 'visit' })
    const refused = async () => {
      // Another page, another page of the same site, a link in a mail or an app, and a browser that
      // does not say.
      for (const site of ['cross-site', 'same-site', 'none', '', 'same-origin, none', null])
        expect([purpose, site, await continueToProvider(window, server, site)]).toEqual([
          purpose,
          site,
          ended(),
        ])
    }
    await refused()
    expect((await client.call('/api/social/confirm', { tx, challenge })).status).toBe(200)
    await refused()
    // The refused attempts have consumed nothing.
    expect(await continueToProvider(window, server)).toContain(started.identity.url)
  }
})

test('behavior: a sign-in continues in a browser that does not report the source of a navigation', async () => {
  const { server } = started
  const client = await createAuthClient(server)
  const { tx } = (await begin(client, server, { provider: 'github' })).body
  const window = createWindow()
  const { challenge } = await report(window, server, { tx, page: 'social' })
  const target = await continueToProvider(window, server, null)
  expect(await choose(window, new URL(target), { account: 'old-browser' })).toBe('#done')
  expect((await client.call('/api/social/confirm', { tx, challenge })).status).toBe(200)
  expect((await finish(client, tx)).status).toBe(200)
})
