import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBlockList } from './openBlockList.ts'
import { hasOrigin, parseBlockList } from './parseBlockList.ts'

const thief = '0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('default: lines are hosts, origins and addresses, with comments', () => {
  const list = parseBlockList(`# ours
evil.example   # since May
https://drain.example:8443/claim
*.wild.example
EVIL.org
${thief}
8QRM2kXSd2P1TqN3hTkX9bvLw3S6mQh9pVwq6s4cZzdE

com
not a host
`)
  expect([...list.hosts]).toEqual(['evil.example', 'drain.example', 'wild.example', 'evil.org'])
  expect([...list.addresses]).toEqual([
    thief.toLowerCase(),
    '8QRM2kXSd2P1TqN3hTkX9bvLw3S6mQh9pVwq6s4cZzdE',
  ])
  expect(list.ignored).toBe(2)
})

test.each([
  ['a list', ['evil.example', thief, 7]],
  [
    'an object of lists',
    { blacklist: ['evil.example'], addresses: [thief], whitelist: ['x.example'] },
  ],
])('param: JSON with %s', (_, json) => {
  const { hosts, addresses } = parseBlockList(JSON.stringify(json))
  expect([...hosts]).toEqual(['evil.example'])
  expect([...addresses]).toEqual([thief.toLowerCase()])
})

test.each([
  ['https://evil.example', true],
  ['https://evil.example:9000', true],
  ['https://www.EVIL.example', true],
  ['https://a.b.evil.example.', true],
  ['https://xn--bcher-kva.example', true],
  ['https://notevil.example', false],
  ['https://evil.example.org', false],
  ['https://example', false],
  ['null', false],
])('param: whether %s is listed is %s', (origin, isListed) => {
  expect(hasOrigin(parseBlockList('evil.example\nbücher.example'), origin)).toBe(isListed)
})

function open(text: string) {
  const path = join(mkdtempSync(join(tmpdir(), 'latchkey-list-')), 'list.txt')
  writeFileSync(path, text)
  const warnings: string[] = []
  const time = { now: 0 }
  const sources = {
    fetch: () => Promise.reject(new Error('nothing is fetched')),
    warn: (one: string) => warnings.push(one),
    now: () => time.now,
  }
  return { list: openBlockList(path, sources), path, warnings, time }
}

test('behavior: a file is read again when it changes', async () => {
  const { list, path } = open('a.example')
  expect((await list.read())?.hosts.has('a.example')).toBe(true)
  writeFileSync(path, 'b.example\nc.example')
  expect((await list.read())?.hosts.has('c.example')).toBe(true)
})

test('error: if a list disappears or breaks, its last version stays', async () => {
  const { list, path, warnings, time } = open('a.example')
  await list.read()
  writeFileSync(path, '["a.example"')
  expect((await list.read())?.hosts.has('a.example')).toBe(true)
  rmSync(path)
  time.now = 60_001
  expect((await list.read())?.hosts.has('a.example')).toBe(true)
  expect(warnings).toHaveLength(2)
})

test('error: a URL that fails is read again after a minute, a list that was read after an hour', async () => {
  const time = { now: 0 }
  let asked = 0
  const list = openBlockList('https://lists.example/hosts', {
    fetch: async () => {
      asked += 1
      if (asked !== 2) throw new Error('unreachable')
      return 'a.example'
    },
    warn: () => {},
    now: () => time.now,
  })
  expect(await list.read()).toBeUndefined()
  expect(await list.read()).toBeUndefined()
  expect(asked).toBe(1)
  time.now = 60_000
  expect((await list.read())?.hosts.has('a.example')).toBe(true)
  time.now += 3_600_000
  // The old list is returned at once, and stays after the failure.
  expect((await list.read())?.hosts.has('a.example')).toBe(true)
  await expect.poll(() => asked).toBe(3)
  expect((await list.read())?.hosts.has('a.example')).toBe(true)
})
