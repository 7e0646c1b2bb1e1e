import { expect, test } from 'vitest'
import { commitMessage, manifestMessage } from './walletMessages.ts'

test('behavior: messages that wallets have already signed never change', () => {
  expect(manifestMessage('{"v":1}')).toBe('latchkey manifest v1\n{"v":1}')
  const change = { walletId: 'w', changeId: 'c', epoch: 2, deviceId: 'd', deviceThumb: 't' }
  expect(commitMessage(change)).toBe('latchkey commit v1\n["w","c",2,"d","t"]')
})
