import { expect, test } from 'vitest'
import type { ModalState } from '../state.ts'
import { mayClose, pop, push, replaceTop, resetTo, shake } from './history.ts'
import { close } from './modal.ts'
import type { View } from './views.ts'

const shut: ModalState = { open: false, history: [], direction: 'forward', shakes: 0 }
const of = (...names: string[]): ModalState => ({
  ...shut,
  open: true,
  history: names.map((name) => ({ name }) as View),
})
const names = ({ history }: ModalState) => history.map(({ name }) => name)

test('default', () => {
  const modal = push(of('Connect'), { name: 'AllWallets' })
  expect(names(modal)).toEqual(['Connect', 'AllWallets'])
  expect(pop(modal)).toEqual({ ...of('Connect'), direction: 'back' })
})

test('behavior: going back from the only view closes', () => {
  expect(pop(of('Connect'))).toEqual(shut)
})

test('behavior: going back closes when the history contains UnsupportedChain', () => {
  expect(pop(of('UnsupportedChain', 'SwitchNetwork')).open).toBe(false)
})

test('behavior: reset replaces the whole history, replace only its top', () => {
  expect(names(resetTo(of('Account', 'Send'), { name: 'Connect' }))).toEqual(['Connect'])
  expect(names(replaceTop(of('Account', 'Send'), { name: 'Receive' }))).toEqual([
    'Account',
    'Receive',
  ])
})

test('behavior: the view on top is not pushed twice', () => {
  expect(names(push(of('Account', 'Send'), { name: 'Send' }))).toEqual(['Account', 'Send'])
  const asking: ModalState = {
    ...of(),
    history: [{ name: 'ConnectingExternal', connectorId: 'a' }],
  }
  expect(names(push(asking, { name: 'ConnectingExternal', connectorId: 'b' })).length).toBe(2)
})

test('behavior: a person may not close while the network has to be chosen', () => {
  expect(mayClose(of('UnsupportedChain'))).toBe(false)
  expect(mayClose(of('UnsupportedChain', 'SwitchNetwork'))).toBe(false)
  expect(mayClose(of('Networks', 'SwitchNetwork'))).toBe(true)
  expect(mayClose(of('Connect'))).toBe(true)
  expect(shake(of('UnsupportedChain')).shakes).toBe(1)
  expect(close(of('Connect'))).toEqual(shut)
})
