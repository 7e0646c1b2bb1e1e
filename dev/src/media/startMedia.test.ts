import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { shellUri } from '../contracts/planCollections.ts'
import { root } from '../root.ts'
import { type Media, startMedia } from './startMedia.ts'

const running: Media[] = []

afterEach(async () => {
  for (const media of running.splice(0)) await media.stop()
})

async function start() {
  const media = await startMedia({ port: 0 })
  running.push(media)
  return media
}

test('default: metadata by number or as ERC-1155 writes it, with pictures of the same server', async () => {
  const { url } = await start()
  const answer = await fetch(`${url}/items/${'1'.padStart(64, '0')}.json`)
  expect(answer.headers.get('content-type')).toBe('application/json')
  const metadata = await answer.json()
  expect(metadata).toMatchObject({ name: 'Paper Lantern', image: `${url}/items/lantern.png` })
  expect(await (await fetch(`${url}/items/1.json`)).json()).toEqual(metadata)
  const picture = await fetch(metadata.image)
  expect(picture.headers.get('content-type')).toBe('image/png')
  expect((await fetch(`${url}/items/compass.svg`)).headers.get('content-type')).toBe(
    'image/svg+xml',
  )
})

test('behavior: the gateway serves the image of the item on IPFS', async () => {
  const { url } = await start()
  const metadata = await (await fetch(`${url}/ipfs/${shellUri.slice('ipfs://'.length)}`)).json()
  expect(metadata.name).toBe('Sea Shell')
  const picture = await fetch(`${url}/ipfs/${metadata.image.slice('ipfs://'.length)}`)
  expect(picture.headers.get('content-type')).toBe('image/png')
})

test('behavior: files of IPFS are named by their hash', () => {
  const folder = `${root}/dev/media/ipfs`
  const names = readdirSync(folder)
  expect(names.length).toBe(2)
  for (const name of names) {
    const hash = createHash('sha256')
      .update(readFileSync(`${folder}/${name}`))
      .digest()
    // CIDv1, raw, sha2-256, in base32 (https://github.com/multiformats/cid).
    expect(name).toBe(`b${base32(Buffer.concat([Buffer.from([1, 0x55, 0x12, 0x20]), hash]))}`)
  }
})

test('error: missing files, and paths outside', async () => {
  const { url } = await start()
  for (const path of ['/', '/items/9.json', '/items/..%2f..%2fpackage.json', '/items/', '/ipfs/x'])
    expect((await fetch(`${url}${path}`)).status).toBe(404)
})

function base32(bytes: Buffer) {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups
    .map((group) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(group.padEnd(5, '0'), 2)])
    .join('')
}
