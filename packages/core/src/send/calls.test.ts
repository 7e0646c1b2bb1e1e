import { expect, test } from 'vitest'
import { createFakeWallet, fakeConnector, rpcError } from '../../test/fakeWallet.ts'
import { openApp } from '../../test/tab.ts'
import { connect } from '../connection/connect.ts'
import { request } from '../connection/requests/request.ts'
import { showCallsStatus } from './calls.ts'

const id = `0x${'cd'.repeat(32)}`
const ask = { method: 'wallet_showCallsStatus', params: [id] }

async function open() {
  const wallet = createFakeWallet()
  const app = openApp({ connectors: [fakeConnector({ id: 'a.b', wallet })] })
  await connect(app, { connectorId: 'a.b' })
  const shown = () => app.store.getState().modal.history.at(-1)
  return { app, wallet, shown }
}

test('default: a wallet that shows batches gets the request, and the modal stays closed', async () => {
  const { app, wallet, shown } = await open()
  wallet.answers.wallet_showCallsStatus = () => null
  expect(await request(app, ask)).toBe(null)
  await showCallsStatus(app, { id })
  expect(wallet.calls.filter(({ method }) => method === ask.method)).toEqual([ask, ask])
  expect(shown()).toBeUndefined()
})

test.each([4200, -32601, -32004])(
  'default: of a wallet that answers %s, the modal shows the batch',
  async (code) => {
    const { app, wallet, shown } = await open()
    wallet.answers.wallet_showCallsStatus = () => Promise.reject(rpcError(code, 'no such method'))
    wallet.answers.wallet_getCallsStatus = () => ({ status: 100 })
    expect(await request(app, ask)).toBe(null)
    expect(shown()).toEqual({ name: 'CallsStatus', id, namespace: 'eip155' })
  },
)

test('error: an unknown id, no id at all, and a refusal of the wallet show nothing', async () => {
  const { app, wallet, shown } = await open()
  const answers = wallet.answers
  answers.wallet_showCallsStatus = () => Promise.reject(rpcError(4200, 'no such method'))
  answers.wallet_getCallsStatus = () => Promise.reject(rpcError(5730, 'no such batch'))
  await expect(request(app, ask)).rejects.toMatchObject({ code: 'BATCH_ID_UNKNOWN' })
  for (const params of [[], [7], [{ id }], { id }])
    await expect(request(app, { ...ask, params })).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  answers.wallet_showCallsStatus = () => Promise.reject(rpcError(4001, 'no'))
  await expect(request(app, ask)).rejects.toMatchObject({ code: 'USER_REJECTED' })
  expect(shown()).toBeUndefined()
})
