import { generateKey, sealEnvelope } from '@latchkey/walletconnect'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAttacker } from './attacker.ts'
import { moreNamespaces, namespaces } from './eip155.ts'
import { askOnce, heardDuring, newId, nothing, overhear, rpc } from './overhear.ts'
import { openSession } from './setUp.ts'

test('behavior: someone who knows only the topic changes nothing', async () => {
  const it = await overhear()
  const { topic, attacker, dapp, wallet } = it
  await askOnce(dapp, wallet, topic)
  const genuine = attacker.heard.map(({ message }) => message)
  expect(genuine.length).toBeGreaterThan(1)
  const other = generateKey()
  const request = JSON.stringify(
    rpc(newId(), { method: 'wc_sessionDelete', params: { code: 6000, message: 'Bye' } }),
  )
  const message = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
    fc.base64String({ minLength: 4 }),
    fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    fc
      .tuple(fc.constantFrom(...genuine), fc.nat(), fc.integer({ min: 1, max: 255 }))
      .map(([text, at, mask]) => flip(text, at, mask)),
    fc
      .tuple(fc.constantFrom(...genuine), fc.nat())
      .map(([text, length]) => text.slice(0, 1 + (length % (text.length - 1)))),
    fc.constantFrom(...genuine).map((text) => `${text}${text}`),
    fc.constant(0).map(() => sealEnvelope(request, { type: 0, key: other })),
    fc
      .constant(0)
      .map(() => sealEnvelope(request, { type: 1, key: other, senderPublicKey: other })),
    fc.constant(sealEnvelope(request, { type: 2 })),
  )
  const messages = fc.sample(message, 150)
  const heard = await heardDuring(it, async () => {
    for (const text of messages) await attacker.publish(topic, text)
  })
  expect(heard).toEqual(nothing)
})

function flip(text: string, at: number, mask: number): string {
  const bytes = Buffer.from(text, 'base64')
  const index = at % bytes.length
  bytes[index] = (bytes[index] ?? 0) ^ mask
  return bytes.toString('base64')
}

test('behavior: a replayed message is ignored, in any order', async () => {
  const it = await overhear()
  const { relay, topic, dapp, wallet } = it
  await askOnce(dapp, wallet, topic)
  await wallet.update(topic, moreNamespaces)
  await wallet.emit(topic, 'chainChanged', 1)
  await wallet.update(topic, namespaces)
  await askOnce(dapp, wallet, topic)
  const said = it.attacker.heard.map(({ message, tag }) => ({ message, tag }))

  // The relay would not deliver the same message twice; after a restart it has forgotten the
  // message and does.
  await relay.restart()
  const heard = await heardDuring(it, async () => {
    const attacker = await createAttacker(relay.url)
    for (const { message, tag } of [...said].reverse()) await attacker.publish(topic, message, tag)
  })
  expect(heard).toEqual(nothing)
  for (const party of [dapp, wallet]) expect(party.sessions()).toMatchObject([{ namespaces }])
})

test('behavior: a message of another topic is ignored', async () => {
  const it = await overhear()
  const { dapp, wallet, topic, attacker } = it
  await askOnce(dapp, wallet, topic)
  const other = await openSession(dapp, wallet)
  const heard = await heardDuring({ dapp, wallet, topic: other.topic }, async () => {
    for (const { message, tag } of [...attacker.heard])
      await attacker.publish(other.topic, message, tag)
  })
  expect(heard).toEqual(nothing)
})

test('behavior: sizes up to the largest are carried and ignored, larger ones refused', async () => {
  const it = await overhear()
  const heard = await heardDuring(it, async () => {
    const { attacker, topic } = it
    expect(await attacker.publish(topic, 'A'.repeat(900_000))).toMatchObject({ result: true })
    const { error } = await attacker.publish(topic, 'A'.repeat(1_100_000))
    expect(error).toMatchObject({ data: 'PayloadSizeExceeded' })
    void attacker.publish(topic, 'A'.repeat(5_000_000))
    await attacker.closed
  })
  expect(heard).toEqual(nothing)
})
