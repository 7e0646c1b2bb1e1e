import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { codeIn, createAuthClient, secretIn, signIn, wrongFor } from '../../test/auth/authClient.ts'
import { startAuthServer } from '../../test/auth/startAuthServer.ts'
import { readMetrics } from '../../test/readMetrics.ts'

test('canaries: no code, token, secret or address is in the log, the metrics or the database', async () => {
  let logged = ''
  const stream = new Writable({
    write(chunk, _, done) {
      logged += String(chunk)
      done()
    },
  })
  const { server, inbox, time, stop } = await startAuthServer(
    {},
    { log: pino({ level: 'trace' }, stream) },
  )
  onTestFinished(stop)
  const canaries: Record<string, string> = {}
  const keep = (name: string, value: unknown) => {
    if (typeof value === 'string') canaries[name] = value
  }
  const email = 'canary-old@example.com'
  const client = await createAuthClient(server)
  const begun = (await client.begin(email)).body
  keep('tx', begun.tx)
  const secret = secretIn(inbox, email)
  keep('link secret', secret)
  const approve = { secret, matchCode: begun.matchCode }
  await client.post('/api/device-link/approve', JSON.stringify(approve), {})
  const code = codeIn(inbox, email)
  keep('code', code)
  await client.call('/api/login/verify', { tx: begun.tx, code: wrongFor(code) })
  const tokens = (await client.call('/api/login/verify', { tx: begun.tx, code })).body
  client.state.tokens = tokens
  for (const name of ['accessToken', 'refreshToken', 'knownDevice']) keep(name, tokens[name])
  const refreshed = await client.call('/api/session/refresh', {
    refreshToken: tokens.refreshToken,
  })
  keep('second access token', refreshed.body.accessToken)
  keep('second refresh token', refreshed.body.refreshToken)
  client.state.tokens = refreshed.body
  time.nowMs += 30_000
  const change = (await client.ask('/api/email/change', { to: 'canary-new@example.com' })).body
  keep('change', change.changeTx)
  keep('primary code', codeIn(inbox, email))
  await client.ask('/api/email/primary', {
    changeTx: change.changeTx,
    code: canaries['primary code'],
  })
  keep('secondary code', codeIn(inbox, 'canary-new@example.com'))
  await client.ask('/api/email/secondary', {
    changeTx: change.changeTx,
    code: canaries['secondary code'],
  })
  keep('undo secret', secretIn(inbox, email, 'undo'))
  keep('old address', email)
  keep('new address', 'canary-new@example.com')
  // Failures are logged too: bodies that are not JSON, an unknown token, a query string.
  await client.post('/api/login/verify', `{"tx":"${begun.tx}","code":"${code}"`, {})
  await client.call('/api/me', {}, { token: wrongFor('1').padEnd(43, 'A') })
  await client.call('/api/login/verify', { tx: begun.tx, code, email: 'not an address' })
  await client.begin('canary-wrong@example.com\r\n')
  const other = await createAuthClient(server)
  await signIn(other, inbox, 'canary-other@example.com')
  await server.tick()

  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(server.services.db)
  let stored = ''
  for (const { name } of tables.rows) {
    const rows = await sql<{
      row: string
    }>`select t::text as row from ${sql.table(name)} t`.execute(server.services.db)
    stored += rows.rows.map(({ row }) => row).join('\n')
  }
  const metrics = await readMetrics(server.url)
  expect(Object.keys(canaries)).toHaveLength(14)
  expect(logged).toContain('code accepted')
  expect(stored.length).toBeGreaterThan(1_000)
  const found = Object.entries(canaries).flatMap(([name, value]) => {
    const hex = Buffer.from(value).toString('hex')
    const raw = Buffer.from(value, 'base64url').toString('hex')
    // Six digits alone may occur in a time or a hash by chance.
    const digits = /^\d{6}$/.test(value)
    const forms = digits ? [`"${value}"`, ` ${value} `, `,${value},`] : [value, hex, raw]
    return Object.entries({ logged, stored, metrics }).flatMap(([where, text]) =>
      forms.some((form) => text.includes(form)) ? [`${name} ${where}`] : [],
    )
  })
  expect(found).toEqual([])
})
