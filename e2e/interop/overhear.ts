import { type ClientStorage, getTopic, sealEnvelope } from '@latchkey/walletconnect'
import { expect } from 'vitest'
import { createAttacker } from './attacker.ts'
import { createMemoryStorage, createOurDapp, createOurWallet } from './latchkeyClient.ts'
import type { DappParty, WalletParty } from './parties.ts'
import { answerNext, openSession } from './setUp.ts'
import { startRelay } from './startRelay.ts'

/**
 * A session with an attacker who listens to it. `seal` creates messages that anyone with the
 * session's key could write.
 */
export async function overhear() {
  const relay = await startRelay()
  const storage = { dapp: createMemoryStorage(), wallet: createMemoryStorage() }
  const start = { relayUrl: relay.url }
  const dapp = await createOurDapp({ ...start, name: 'dapp', storage: storage.dapp })
  const wallet = await createOurWallet({ ...start, name: 'wallet', storage: storage.wallet })
  const { topic } = await openSession(dapp, wallet)
  const attacker = await createAttacker(relay.url)
  await attacker.call('irn_subscribe', { topic })
  const key = keyOf(storage.dapp, topic)
  const seal = (message: unknown) => sealJson(message, key)
  return { relay, dapp, wallet, topic, attacker, seal, storage }
}

function keyOf(storage: ClientStorage, topic: string): string {
  for (const name of storage.keys())
    for (const [, key = ''] of (storage.get(name) ?? '').matchAll(/"key":"([0-9a-f]{64})"/g))
      if (getTopic(key) === topic) return key
  throw new Error('The key is not where it was')
}

/** Sends a request and waits for its response, after everything published before. */
export async function askOnce(dapp: DappParty, wallet: WalletParty, topic: string) {
  const asked = answerNext(wallet, { result: '0x01' })
  expect(await dapp.request(topic, 'personal_sign', ['0x00'])).toBe('0x01')
  expect((await asked).params).toEqual(['0x00'])
}

/** The events during `work`, including the request that proves that the session still works. */
export async function heardDuring(
  { dapp, wallet, topic }: { dapp: DappParty; wallet: WalletParty; topic: string },
  work: () => Promise<void>,
) {
  const [atDapp, atWallet] = [dapp.heard.length, wallet.heard.length]
  await work()
  await askOnce(dapp, wallet, topic)
  return {
    dapp: dapp.heard.slice(atDapp).filter((name) => name !== 'session_request_sent'),
    wallet: wallet.heard.slice(atWallet),
  }
}

/** Seals a message with `key`. */
export const sealJson = (message: unknown, key: string) =>
  sealEnvelope(JSON.stringify(message), { type: 0, key })
/** Only the event of the proving request. */
export const nothing = { dapp: [], wallet: ['session_request'] }
/** A JSON-RPC message, which may be invalid. */
export const rpc = (id: unknown, rest: object) => ({ id, jsonrpc: '2.0', ...rest })
export const newId = () => Date.now() * 1000 + Math.floor(Math.random() * 1000)
