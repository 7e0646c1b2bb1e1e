import { expect, test } from 'vitest'
import { logIn, openEmailApp } from '../../../../test/emailApp.ts'
import { createFakeFrame } from '../../../../test/fakeFrame.ts'
import { alice, bob } from '../../../../test/fakeWallet.ts'
import { switchNetwork } from '../../../network/switchNetwork.ts'

/** An app with a smart account in its frame, which is deployed on these networks. */
async function open(type: 'smartAccount' | 'eoa' = 'smartAccount') {
  const frame = createFakeFrame()
  const deployed = new Set<number>()
  let current = 31337
  frame.handlers.APP_GET_USER = ({ chainId = 31337 }) => ({
    ...{ address: alice, chainId, accounts: [{ address: alice, type }] },
    smartAccountDeployed: type === 'smartAccount' && deployed.has(Number(chainId)),
  })
  frame.handlers.APP_SWITCH_NETWORK = ({ chainId }) => {
    current = Number(chainId)
    return { chainId }
  }
  frame.handlers.APP_INIT_SMART_ACCOUNT = () => ({
    address: alice,
    isDeployed: deployed.has(current),
  })
  const app = openEmailApp(frame)
  await logIn(app)
  const read = () => {
    const { eip155 } = app.store.getState().connections
    return 'account' in eip155 ? eip155.account.deployed : undefined
  }
  const request = (method: string, params: readonly unknown[]) =>
    app.connectors.get('ID_AUTH')?.request(`eip155:${current}`, method, params)
  return { app, frame, deployed, read, request }
}

test('default: it is read again after a switch, and the network that was switched to stays selected', async () => {
  const { app, deployed, read } = await open()
  expect(read()).toEqual({ 'eip155:31337': false })
  deployed.add(31338)
  await switchNetwork(app, { chainId: 'eip155:31338' })
  await expect.poll(read).toEqual({ 'eip155:31337': false, 'eip155:31338': true })
  expect(app.store.getState().activeChainId).toBe('eip155:31338')
  expect(app.store.getState().connections.eip155).toMatchObject({ chainId: 'eip155:31338' })
  app.destroy()
})

test('default: it is read again after the first transaction', async () => {
  const { app, frame, deployed, read, request } = await open()
  frame.handlers.APP_RPC_REQUEST = () => {
    deployed.add(31337)
    return `0x${'ab'.repeat(32)}`
  }
  await request('eth_sendTransaction', [{ from: alice, to: bob, value: '0x1' }])
  await expect.poll(read).toEqual({ 'eip155:31337': true })
  app.destroy()
})

test('default: reads it again after a batch has completed', async () => {
  const { app, frame, deployed, read, request } = await open()
  let status = 100
  frame.handlers.APP_RPC_REQUEST = () => ({
    ...{ version: '2.0.0', id: 'x', chainId: '0x7a69', status, atomic: true, receipts: [] },
  })
  const asked = () => frame.calls.filter(({ method }) => method === 'APP_INIT_SMART_ACCOUNT')
  await request('wallet_getCallsStatus', ['x'])
  expect(asked()).toEqual([])
  deployed.add(31337)
  status = 200
  await request('wallet_getCallsStatus', ['x'])
  await expect.poll(read).toEqual({ 'eip155:31337': true })
  app.destroy()
})

test('behavior: sends no request for an account that is not a smart account', async () => {
  const { app, frame, request } = await open('eoa')
  frame.handlers.APP_RPC_REQUEST = () => `0x${'ab'.repeat(32)}`
  await switchNetwork(app, { chainId: 'eip155:31338' })
  await request('eth_sendTransaction', [{ from: alice, to: bob, value: '0x1' }])
  expect(frame.calls.map(({ method }) => method)).not.toContain('APP_INIT_SMART_ACCOUNT')
  app.destroy()
})
