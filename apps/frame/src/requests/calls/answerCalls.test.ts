import { expect, test } from 'vitest'
import { createMemoryStore } from '../../wallet/keyStore.ts'
import { createSafeRequestHandler } from '../createSafeRequestHandler.ts'
import { createCallsAccess } from './callsAccess.ts'

test('error: wallet_getAssets is refused, and no capability says otherwise', async () => {
  const chain = {
    id: 'eip155:31337',
    namespace: 'eip155',
    reference: '31337',
    name: 'One',
    symbol: 'ETH',
    decimals: 18,
    smartAccounts: {},
  } as const
  const address = '0x00000000000000000000000000000000000000aa'
  const asked: string[] = []
  const handle = createSafeRequestHandler({
    read: async (_, method) => asked.push(method),
    account: async () => address,
    chains: [chain],
    access: (account) => createCallsAccess(createMemoryStore(), { origin: '', account }),
  })
  const ask = (method: string, params: unknown) =>
    handle({ method, params, chain }, new AbortController().signal)
  await expect(ask('wallet_getAssets', [{ account: address }])).rejects.toMatchObject({
    code: 'UNSUPPORTED_METHOD',
  })
  expect(await ask('wallet_getCapabilities', [address])).not.toHaveProperty([
    '0x7a69',
    'assetDiscovery',
  ])
  expect(asked).toEqual([])
})
