import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDatabase } from '@latchkey/dev'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ended, latchkeyBin, runCli, spawnCli, spawnServer } from '../test/spawnServer.ts'
import { makeTestDir } from '../test/startTestServer.ts'

let dir: string
beforeAll(async () => {
  dir = await makeTestDir()
})
afterAll(() => rm(dir, { recursive: true, force: true }))
const latchkey = async (...args: string[]) => {
  const { code, out } = await runCli(args, { DATA_DIR: dir })
  return { code, out }
}

test('default: add and list, with no server running', async () => {
  const missing = `There is no database in ${dir}. Start the server first, or set DATA_DIR or DATABASE_URL as for the server\n`
  for (const args of [['list'], ['edit', '--id', 'x', '--name', 'X']])
    expect(await latchkey('project', ...args)).toEqual({ code: 1, out: missing })
  expect(existsSync(join(dir, 'postgres'))).toBe(false)
  const added = await latchkey(
    'project',
    'add',
    '--name',
    'Shop',
    '--origin',
    'https://*.Shop.example:443',
    '--origin',
    'a.example',
  )
  expect(added.out).toMatch(/^Added project Shop with the id [0-9a-f]{32}\n$/)
  expect(await latchkey('project', 'add', '--name', 'B', '--id', 'mine')).toEqual({
    code: 0,
    out: 'Added project B with the id mine\n',
  })
  expect((await latchkey('project', 'list')).out).toMatch(
    /^[0-9a-f]{32} {2}Shop {2}https:\/\/\*\.shop\.example a\.example\nmine {2}B {2}any origin\n$/,
  )
  expect(await latchkey('project', 'add', '--name', 'C', '--id', 'mine')).toEqual({
    code: 0,
    out: 'Changed project mine\n',
  })
  expect((await latchkey('project', 'list')).out).toContain('\nmine  C  any origin\n')
})

test('behavior: each project command prints its database, and uses the database of a running server', async () => {
  const list = (env: Record<string, string>) => runCli(['project', 'list'], env)
  expect(await list({ DATA_DIR: dir })).toMatchObject({
    code: 0,
    database: `in ${dir}, which no server uses now`,
  })
  const own = await makeTestDir()
  onTestFinished(() => rm(own, { recursive: true, force: true }))
  await spawnServer({ DATA_DIR: own })
  expect(await list({ DATA_DIR: own })).toEqual({
    code: 0,
    out: 'No projects. Until you add one, every project id is accepted from this machine\n',
    database: `the running server's, in ${own}`,
  })
  const url = await makeDatabase()
  const { host, pathname } = new URL(url)
  expect((await list({ DATABASE_URL: url })).database).toBe(
    `${host}${pathname}, which DATABASE_URL names`,
  )
})

test('default: edit changes the name, the origins or both; add with a known id keeps the origins', async () => {
  const mine = async () =>
    (await latchkey('project', 'list')).out.split('\n').find((line) => line.startsWith('edited'))
  await latchkey('project', 'add', '--name', 'A', '--id', 'edited', '--origin', 'a.example')
  const edit = (...more: string[]) => latchkey('project', 'edit', '--id', 'edited', ...more)
  expect(await edit('--origin', 'HTTPS://b.example', '--origin', 'c.example')).toEqual({
    code: 0,
    out: 'Changed project edited\n',
  })
  expect(await mine()).toBe('edited  A  https://b.example c.example')
  await edit('--name', 'B')
  expect(await mine()).toBe('edited  B  https://b.example c.example')
  await latchkey('project', 'add', '--name', 'C', '--id', 'edited')
  expect(await mine()).toBe('edited  C  https://b.example c.example')
  await edit('--any-origin')
  expect(await mine()).toBe('edited  C  any origin')
  expect(await latchkey('project', 'edit', '--id', 'nobody', '--name', 'x')).toEqual({
    code: 1,
    out: 'There is no project with the id nobody\n',
  })
})

test('default: otp-surface host lets the listed exact pages pass codes on, until it is frame again', async () => {
  const mine = async () =>
    (await latchkey('project', 'list')).out.split('\n').find((line) => line.startsWith('coded'))
  await latchkey('project', 'add', '--name', 'A', '--id', 'coded', '--origin', 'https://a.example')
  expect(await mine()).toBe('coded  A  https://a.example')
  const edit = (...more: string[]) => latchkey('project', 'edit', '--id', 'coded', ...more)
  expect(await edit('--otp-surface', 'host')).toEqual({
    code: 0,
    out: 'Changed project coded  codes from https://a.example\n',
  })
  expect(await mine()).toBe('coded  A  https://a.example  codes from https://a.example')
  await edit('--origin', 'https://*.a.example')
  expect(await mine()).toBe(
    'coded  A  https://*.a.example  codes from no page: it lists no exact origin',
  )
  await latchkey('project', 'add', '--name', 'B', '--id', 'coded', '--otp-surface', 'frame')
  expect(await mine()).toBe('coded  B  https://*.a.example')
})

test('default: start, in the role of a relay alone', async () => {
  const child = spawnCli(['start', '--role', 'relay'], { DATA_DIR: dir, PORT: '0' }, latchkeyBin)
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  await expect.poll(() => printed).toContain('"msg":"listening"')
  await expect.poll(() => printed).toContain('every project id is accepted')
  const url = /"url":"([^"]+)"/.exec(printed)?.[1] ?? ''
  expect((await fetch(`${url}/health`)).status).toBe(204)
  child.kill('SIGTERM')
  expect(await ended(child)).toBe(0)
})

test('error: start in a role that there is not', async () => {
  expect(await latchkey('start', '--role', 'web')).toEqual({
    code: 1,
    out: 'The configuration is not valid:\nROLE: must be all or relay\n',
  })
})

test.each([
  [['project', 'add'], 'project add needs --name'],
  [
    ['project', 'add', '--name', 'x', '--id', 'a b'],
    '--id takes 1 to 128 letters, digits, _ and -',
  ],
  [
    ['project', 'add', '--name', 'x', '--origin', 'ftp://x'],
    '--origin "ftp://x" is not [scheme://]host[:port]',
  ],
  [['project', 'edit', '--name', 'x'], 'project edit needs --id'],
  [
    ['project', 'edit', '--id', 'x'],
    'project edit needs --name, --origin, --any-origin or --otp-surface',
  ],
  [['project', 'edit', '--id', 'x', '--otp-surface', 'page'], '--otp-surface takes frame or host'],
  [
    ['project', 'edit', '--id', 'x', '--origin', 'a.example', '--any-origin'],
    'Give --origin or --any-origin, not both',
  ],
  [['project', 'remove'], 'There is no command "project remove"'],
  [['project', 'list', '--colour'], "Unknown option '--colour'"],
])('error: %j', async (args, message) => {
  const { code, out } = await latchkey(...args)
  expect(code).toBe(2)
  expect(out.startsWith(message)).toBe(true)
  expect(out).toContain('Usage:')
})
