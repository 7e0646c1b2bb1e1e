import { expect, test } from 'vitest'
import { createMemoryStore } from '../../wallet/keyStore.ts'
import { getBatchCapabilities } from './answerCalls.ts'
import { createCallsAccess } from './callsAccess.ts'

const account = '0x00000000000000000000000000000000000000aa'
const question = {
  chains: [
    {
      id: 'eip155:31337',
      namespace: 'eip155',
      reference: '31337',
      name: 'One',
      symbol: 'ETH',
      decimals: 18,
      smartAccounts: {},
    },
  ],
  account,
  access: createCallsAccess(createMemoryStore(), { origin: '', account }),
  read: async () => {
    throw new Error('No node is asked')
  },
  now: () => 0,
} as const
const ask = (...params: unknown[]) => getBatchCapabilities({ ...question, params })

test('default: returns the account’s capabilities on each network, including assetDiscovery', async () => {
  expect(await ask(account)).toMatchObject({ '0x7a69': { assetDiscovery: { supported: true } } })
})

test('error: wallet_getCapabilities needs the address of the account', async () => {
  await expect(ask()).rejects.toMatchObject({ code: 'MISSING_CAPABILITIES_ADDRESS' })
  await expect(ask(`0x${'1'.repeat(40)}`)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})
