import { expect, test } from 'vitest'
import { saveContact } from '../contacts/saveContact.ts'
import { createApp } from '../createApp.ts'
import { switchNetwork } from '../network/switchNetwork.ts'
import { latchkeyOne, latchkeyTwo, solana } from '../networks.ts'
import { findAccount } from './findAccount.ts'

const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** An app, the names at its server by network, and the networks of the requests. */
function open(addresses: Readonly<Record<string, string>> = {}) {
  const asked: string[] = []
  const app = createApp(
    {
      projectId: 'local',
      apiUrl: 'http://127.0.0.1:1',
      networks: [latchkeyOne, solana, latchkeyTwo],
      wallets: { walletConnect: false },
    },
    {
      fetch: async (input) => {
        const chainId = new URL(String(input)).searchParams.get('chainId') ?? ''
        asked.push(chainId)
        const address = addresses[chainId] ?? null
        return Response.json({ name: 'bob.eth', address, avatar: null, resolvedAt: null })
      },
    },
  )
  return { app, asked }
}

test('behavior: an unknown name is looked up once per namespace, first on the selected network', async () => {
  const { app, asked } = open()
  expect(await findAccount(app, 'bob.eth')).toBeUndefined()
  await switchNetwork(app, { chainId: latchkeyTwo.caipNetworkId })
  expect(await findAccount(app, 'other.eth')).toBeUndefined()
  const [one, two, other] = [latchkeyOne, latchkeyTwo, solana].map((each) => each.caipNetworkId)
  expect(asked).toEqual([one, other, two, other])
})

test('default: an address needs no server; a name leads to its account', async () => {
  const { app, asked } = open({ [latchkeyOne.caipNetworkId]: bob.toLowerCase() })
  const account = { namespace: 'eip155', address: bob }
  expect(await findAccount(app, ` ${bob.toLowerCase()}\u200b`)).toEqual(account)
  expect(await findAccount(app, 'nothing')).toBeUndefined()
  expect(asked).toEqual([])
  expect(await findAccount(app, 'bob.eth')).toEqual({ ...account, name: 'bob.eth' })
  expect(asked).toEqual([latchkeyOne.caipNetworkId])
})

test('error: an address with a wrong character is mistyped', async () => {
  const { app, asked } = open()
  expect(await findAccount(app, bob.replace('C51', 'c51'))).toBe('mistyped')
  expect(asked).toEqual([])
})

test('behavior: a contact is saved with the present address of its name', async () => {
  const { app } = open({ [latchkeyOne.caipNetworkId]: bob.toLowerCase() })
  const contact = { namespace: 'eip155', name: 'Bob', address: bob }
  expect(await saveContact(app, { name: 'Bob', address: ' bob.eth' })).toEqual({ contact })
  const unknown = await saveContact(open().app, { name: 'Eve', address: 'eve.eth' })
  expect(unknown).toEqual({ problem: 'addressUnknown' })
})
