import { expect, test } from 'vitest'
import { createFakeWallet, fakeConnector } from '../../../../../test/fakeWallet.ts'
import { createBrowser, openApp } from '../../../../../test/tab.ts'
import { connect } from '../../../../connection/connect.ts'
import type { Request } from '../../../request.ts'
import { readConfirmations } from './readConfirmations.ts'

const word = (value: number) => value.toString(16).padStart(64, '0')

/** The confirmations if the node answers each read of the contract with the next of these. */
async function read(...answers: string[]) {
  const connectors = [fakeConnector({ id: 'a.one', wallet: createFakeWallet() })]
  const app = openApp({ ...createBrowser().openTab(), connectors })
  await connect(app, { connectorId: 'a.one' })
  const node: Request = async () => answers.shift()
  app.runtime.nodes.set('eip155:31337', node)
  return readConfirmations(app).finally(() => app.destroy())
}

test('default: how many owners confirm, and the next nonce', async () => {
  const owners = `0x${word(32)}${word(2)}${word(1)}${word(2)}`
  expect(await read(`0x${word(2)}`, owners, `0x${word(7)}`)).toEqual({
    threshold: 2n,
    owners: 2,
    nextNonce: 7n,
    proposal: undefined,
  })
})

test.each([
  ['nothing', '0x'],
  ['too few bytes', '0x01'],
  ['a list that is longer than the answer', `0x${word(32)}${word(1_000)}`],
  ['no hex', 'nonsense'],
])('error: a contract that answers %s', async (_, answer) => {
  await expect(read(`0x${word(2)}`, answer, `0x${word(7)}`)).rejects.toMatchObject({
    code: 'ANSWER_INVALID',
  })
})
